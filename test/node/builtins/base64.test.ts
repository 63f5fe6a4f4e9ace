import fc from "fast-check";
import { expect, test } from "vitest";
import { openBuiltins } from "../../support/builtins-guest.js";
import { sameAsHost, table } from "../../support/same-as-host.js";

const failure = (call: string) =>
  `(() => { try { return ${call}; } catch (e) { return [e.name, e.code, e instanceof DOMException, e instanceof Error]; } })()`;

sameAsHost("atob and btoa are the host's", [
  'btoa("")',
  'btoa("a")',
  'btoa("ab")',
  'btoa("abc")',
  'btoa("\\xff\\xfe\\x00")',
  "btoa(null)",
  "btoa(12.5)",
  failure('btoa("€")'),
  "btoa()",
  'atob("YQ==")',
  'atob("YQ")',
  'atob(" Y W\\nJ\\tj ")',
  'atob("")',
  'atob("////")',
  failure('atob("Y")'),
  failure('atob("YQ=")'),
  failure('atob("YQ===")'),
  failure('atob("=")'),
  failure('atob("YWJj=")'),
  failure('atob("Y-__")'),
  failure('atob("YQ==YQ==")'),
  failure('atob("é")'),
  "atob()",
]);

table("The base64 and hexadecimal methods of Uint8Array", [
  ["new Uint8Array([255, 254, 250]).toBase64()", "//76"],
  ['new Uint8Array([255, 254]).toBase64({ alphabet: "base64url" })', "__4="],
  ['new Uint8Array([255, 254]).toBase64({ alphabet: "base64url", omitPadding: true })', "__4"],
  ['new Uint8Array([1]).toBase64({ alphabet: "other" })', /^TypeError/],
  ['Array.from(Uint8Array.fromBase64("//76"))', [255, 254, 250]],
  ['Array.from(Uint8Array.fromBase64("__4", { alphabet: "base64url" }))', [255, 254]],
  ['Uint8Array.fromBase64("__4")', /^SyntaxError/],
  ['Uint8Array.fromBase64("YQ", { lastChunkHandling: "strict" })', /^SyntaxError/],
  ['Uint8Array.fromBase64("YR==", { lastChunkHandling: "strict" })', /^SyntaxError/],
  ['Array.from(Uint8Array.fromBase64("YWJjZA", { lastChunkHandling: "stop-before-partial" }))', [97, 98, 99]],
  ["Uint8Array.fromBase64(5)", /^TypeError/],
  ["new Uint8Array([0, 171, 255]).toHex()", "00abff"],
  ['Array.from(Uint8Array.fromHex("00ABff"))', [0, 171, 255]],
  ['Uint8Array.fromHex("0")', /^SyntaxError/],
  ['Uint8Array.fromHex("0g")', /^SyntaxError: fromHex: the character "g" at 1/],
  [
    'const t = new Uint8Array(4); [t.setFromBase64("YWJjZGU="), Array.from(t)]',
    [{ read: 4, written: 3 }, [97, 98, 99, 0]],
  ],
  ['const h = new Uint8Array(2); [h.setFromHex("0102"), Array.from(h)]', [{ read: 4, written: 2 }, [1, 2]]],
  ["Uint8Array.prototype.toBase64.call(new Int8Array(1))", /^TypeError/],
]);

test("random bytes survive base64 in both directions, as the host writes it", async () => {
  const guest = await openBuiltins();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const encoded = Buffer.from(bytes).toString("base64");
      const source = `[new Uint8Array([${bytes}]).toBase64(), Array.from(Uint8Array.fromBase64("${encoded}"))]`;
      expect(guest.run(source)).toEqual([encoded, [...bytes]]);
    }),
    { numRuns: 100, seed: 1 },
  );
});
