import fc from "fast-check";
import { expect, test } from "vitest";
import { openBuiltins } from "../../support/builtins-guest.js";
import { sameAsHost, table } from "../../support/same-as-host.js";

const bytes = (list: string) => `new Uint8Array([${list}])`;
const decode = (list: string, label = '"utf-8"', options = "{}") =>
  `new TextDecoder(${label}, ${options}).decode(${bytes(list)})`;

sameAsHost("TextEncoder is the host's", [
  'Array.from(new TextEncoder().encode("aé€😀"))',
  "Array.from(new TextEncoder().encode())",
  "Array.from(new TextEncoder().encode(undefined))",
  "Array.from(new TextEncoder().encode(null))",
  'Array.from(new TextEncoder().encode("\\ud800x\\udc00"))',
  'Array.from(new TextEncoder().encode("\\u0000\\u007f\\u0080\\u07ff\\u0800\\uffff"))',
  "new TextEncoder().encoding",
  'new TextEncoder().encodeInto("aé😀", new Uint8Array(4))',
  'new TextEncoder().encodeInto("aé😀", new Uint8Array(7))',
  '(() => { const t = new Uint8Array(3).fill(9); new TextEncoder().encodeInto("é€", t); return Array.from(t); })()',
  'new TextEncoder().encodeInto("x", [1])',
  'TextEncoder().encode("x")',
]);

sameAsHost("TextDecoder is the host's", [
  decode("0x61, 0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80"),
  decode("0xff, 0x61"),
  decode("0xe2, 0x82"),
  decode("0xe2, 0x82, 0x61"),
  decode("0xf0, 0x9f, 0x98, 0x61"),
  decode("0xed, 0xa0, 0x80"),
  decode("0xc0, 0x80"),
  decode("0xf4, 0x90, 0x80, 0x80"),
  decode("0xef, 0xbb, 0xbf, 0x61"),
  decode("0xef, 0xbb, 0xbf, 0x61", '"utf8"', "{ ignoreBOM: true }"),
  decode("0xff", '"utf-8"', "{ fatal: true }"),
  decode("0xe2, 0x82", '"utf-8"', "{ fatal: true }"),
  decode("0x61, 0x00, 0x3d, 0xd8, 0x00, 0xde", '"utf-16le"'),
  decode("0x61, 0x00, 0x3d", '"utf-16le"'),
  decode("0x3d, 0xd8, 0x61, 0x00", '"utf-16"'),
  decode("0x00, 0xdc", '"utf-16le"', "{ fatal: true }"),
  decode("0x00, 0x61", '"utf-16be"'),
  'new TextDecoder(" UTF-8 ").encoding',
  'new TextDecoder("latin1").encoding',
  'new TextDecoder("unicode").encoding',
  'new TextDecoder("nonsense")',
  "new TextDecoder().fatal",
  "new TextDecoder().decode()",
  "new TextDecoder().decode(new Uint8Array([0xc3, 0xa9, 0x61]).buffer)",
  "new TextDecoder().decode(new DataView(new Uint8Array([0x78, 0x61, 0x62]).buffer, 1, 1))",
  "new TextDecoder().decode(new Uint16Array([0x6261]))",
  'new TextDecoder().decode("text")',
  '(() => { const d = new TextDecoder(); return d.decode(new Uint8Array([0xe2, 0x82]), { stream: true }) + "|" + d.decode(new Uint8Array([0xac]), { stream: true }) + "|" + d.decode(); })()',
  '(() => { const d = new TextDecoder(); return d.decode(new Uint8Array([0xe2]), { stream: true }) + "|" + d.decode() + "|" + d.decode(new Uint8Array([0x61])); })()',
  "(() => { const d = new TextDecoder(); return [d.decode(new Uint8Array([0xef, 0xbb]), { stream: true }), d.decode(new Uint8Array([0xbf, 0x61]))]; })()",
  '(() => { const d = new TextDecoder("utf-16le"); return [d.decode(new Uint8Array([0x3d]), { stream: true }), d.decode(new Uint8Array([0xd8, 0x00]), { stream: true }), d.decode(new Uint8Array([0xde]))]; })()',
]);

table("Encodings where hosts differ", [
  [decode("0xe9, 0x80, 0x9f, 0x81, 0x41", '"latin1"'), "é€Ÿ\u0081A"],
  [
    'new TextDecoder("shift_jis")',
    'RangeError: The encoding "shift_jis" is not supported here: utf-8, utf-16le, utf-16be and windows-1252 (latin1) are',
  ],
]);

test("any text survives encoding and decoding, any bytes decode as the host decodes them", async () => {
  const guest = await openBuiltins();
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 50 }),
      fc.uint8Array({ maxLength: 50 }),
      (text, random) => {
        const encoded = [...new TextEncoder().encode(text)];
        const source = `[Array.from(new TextEncoder().encode(${JSON.stringify(text)})), new TextDecoder().decode(new Uint8Array([${encoded}])), new TextDecoder().decode(new Uint8Array([${random}]))]`;
        const whole = new TextDecoder().decode(new Uint8Array(encoded));
        expect(guest.run(source)).toEqual([encoded, whole, new TextDecoder().decode(random)]);
      },
    ),
    { numRuns: 300, seed: 1 },
  );
});
