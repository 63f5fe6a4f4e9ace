import { expect, test } from "vitest";
import { splitScript } from "../../src/build/split-script.mjs";

/** What the module exports, when its parts run one after the other as the engine runs them. */
function run(parts: readonly string[]): unknown {
  const scope = { __proto__: null };
  return parts.map((part) => new Function(`return ${part}`)()(scope)).at(-1);
}

test("parts of a script do together what the script does", () => {
  const code = `var first=1,{second,...rest}={second:2,third:3};function later(){return deeper()+first}
    function deeper(){return second}class Box{#value;constructor(value){this.#value=value}get value(){return this.#value}}
    var table={first,second:first},boxed=new Box(later()+rest.third);var whole=()=>[boxed.value,table];export{whole as made};`;
  const parts = splitScript(code, 1);
  expect(parts.length).toBeGreaterThan(4);
  expect((run(parts) as () => unknown)()).toEqual([6, { first: 1, second: 1 }]);
});

test.each(["++count", "count=count+1", "[count]=[count+1]", "{for(count of[count+1]);}"])(
  "a variable that changes is not seen from two parts: %s",
  (change) => {
    const code = `var unrelated=1;var count=0;function up(){${change}}var step=()=>(up(),unrelated);function read(){return count}
    var made=()=>(step(),step(),read());export{made as made};`;
    const parts = splitScript(code, 1);
    expect(parts.filter((part) => /\bcount\b/.test(part))).toHaveLength(1);
    expect((run(parts) as () => unknown)()).toBe(2);
  },
);

test("a function that is declared behind its use is in the same part", () => {
  const code =
    "var a=1;function uses(){return helper(a)}var b=2;function helper(x){return x+b}export{uses as made};";
  const parts = splitScript(code, 1);
  expect(parts).toHaveLength(2);
  expect((run(parts) as () => unknown)()).toBe(3);
});

test("a script without one export is refused", () => {
  expect(() => splitScript("var a=1;", 10)).toThrow("one export");
});
