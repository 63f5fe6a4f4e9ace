import fc from "fast-check";
import { expect, test } from "vitest";
import { openBuiltins } from "../../support/builtins-guest.js";
import { sameAsHost, table } from "../../support/same-as-host.js";

const all =
  "(u) => [u.href, u.origin, u.protocol, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash]";
const setting = (name: string, value: string, url = "https://u:p@h.example:81/a/b?x=1#y") =>
  `(() => { const u = new URL("${url}"); u.${name} = ${value}; return (${all})(u); })()`;

sameAsHost("URL is the host's", [
  `(${all})(new URL("https://user:pa%20ss@Example.COM:8080/a/../b c?q=ä&r=1#frag"))`,
  `(${all})(new URL("../x?y", "https://a.example/b/c/d"))`,
  `(${all})(new URL("//other.example", "http://a.example"))`,
  `(${all})(new URL("https://münchen.example:443/"))`,
  `(${all})(new URL("file:///etc/../x"))`,
  `(${all})(new URL("data:text/plain,hi"))`,
  `(${all})(new URL("http://[::1]:3000/"))`,
  `(${all})(new URL(new URL("https://a.example/x"), "https://b.example"))`,
  'new URL("nope")',
  'new URL("/x", "nope")',
  "new URL()",
  'URL("https://a.example")',
  'URL.canParse("https://a.example")',
  'URL.canParse("nope")',
  'URL.canParse("x", "https://a.example")',
  'JSON.stringify({ u: new URL("https://a.example/x") })',
  'String(new URL("https://a.example"))',
  'Object.prototype.toString.call(new URL("https://a.example"))',
  setting("pathname", '"/new path"'),
  setting("search", '"?z=2"'),
  setting("search", '""'),
  setting("hash", '"end"'),
  setting("port", '"443"'),
  setting("port", '"bad"'),
  setting("host", '"other.example:90"'),
  setting("hostname", '"other.example"'),
  setting("protocol", '"http"'),
  setting("protocol", '"mailto"'),
  setting("username", '"new user"'),
  setting("password", '""'),
  setting("href", '"https://b.example/"'),
  setting("href", '"nope"'),
  '(() => { const u = new URL("https://a.example/?a=1&b=2"); u.searchParams.append("c", "x y"); u.searchParams.delete("a"); return [u.href, u.searchParams === u.searchParams]; })()',
  '(() => { const u = new URL("https://a.example/?a=1"); const p = u.searchParams; u.search = "?n=5"; return [p.get("n"), p.get("a"), [...p].length]; })()',
  '(() => { const u = new URL("https://a.example/?a=1"); u.searchParams.delete("a"); return u.href; })()',
  '(() => { const u = new URL("https://a.example/?a=%7E!"); u.searchParams.sort(); return u.href; })()',
]);

table("URL, where hosts differ", [
  ['URL.parse("nope")', null],
  ['URL.parse("x", "https://a.example/").href', "https://a.example/x"],
  ['new URL("nope")', 'TypeError: Invalid URL: "nope"'],
  ['new URL("/x", "nope")', 'TypeError: Invalid URL: "/x" with base "nope"'],
  [
    "class Mine extends URL { get top() { return this.hostname; } } new Mine('https://a.example').top",
    "a.example",
  ],
]);

sameAsHost("URLSearchParams is the host's", [
  'new URLSearchParams("?a=1&b=2&a=3").getAll("a")',
  'new URLSearchParams("a=b=c&d&=e&&f=").toString()',
  '[...new URLSearchParams("a=%20+%2B&b=%zz&c=%E4")]',
  '[...new URLSearchParams("%F0%9F%98%80=%ff%41")]',
  '[...new URLSearchParams({ a: 1, b: "x y", c: null })]',
  'String(new URLSearchParams([["a", "1"], ["b", "2"]]))',
  'String(new URLSearchParams(new Map([["a", "1"]])))',
  "new URLSearchParams([[1]])",
  'String(new URLSearchParams({ k: "!\'()~*-._ &=+%#é😀\\ud800" }))',
  'new URLSearchParams("a=1").get("b")',
  'new URLSearchParams("a=1&a=2").has("a", "2")',
  'new URLSearchParams("a=1&a=2").has("a", "3")',
  '(() => { const p = new URLSearchParams("a=1&b=2&a=3"); p.set("a", "9"); p.append("c", 5); return [p.toString(), p.size]; })()',
  '(() => { const p = new URLSearchParams("a=1&a=2&b=3"); p.delete("a", "2"); return p.toString(); })()',
  '(() => { const p = new URLSearchParams("b=1&a=2&b=0&a=1"); p.sort(); return p.toString(); })()',
  '(() => { const seen = []; new URLSearchParams("a=1&b=2").forEach((v, k) => seen.push(k + v)); return seen; })()',
  '[[...new URLSearchParams("a=1&b=2").keys()], [...new URLSearchParams("a=1&b=2").values()]]',
  'Object.fromEntries(new URLSearchParams("a=1&b=2"))',
  "new URLSearchParams(undefined).toString()",
  'new URLSearchParams("a=1").get()',
  'new URLSearchParams(new URLSearchParams("x=1&x=2")).toString()',
]);

test("random queries are parsed and written as the host does", async () => {
  const guest = await openBuiltins();
  const part = fc.string({
    unit: fc.constantFrom("a", "b", "=", "&", "+", "%", "2", "0", "F", "é", " ", "?", "\ud800"),
    maxLength: 12,
  });
  fc.assert(
    fc.property(part, (query) => {
      const source = `((p) => [[...p], p.toString()])(new URLSearchParams(${JSON.stringify(query)}))`;
      const params = new URLSearchParams(query);
      expect(guest.run(source)).toEqual([[...params], params.toString()]);
    }),
    { numRuns: 400, seed: 1 },
  );
});
