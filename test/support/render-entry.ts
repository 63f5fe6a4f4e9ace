/** What the render tests run in the raw engine: top-level rendering, and `describeThrown` for what was thrown. */
export const renderEntry = (maxChars = 4000): string => `
import { installProxy } from "./proxies.js";
import { render } from "./render.js";
import { describeThrown, encodeReport } from "./describe-error.js";
import { JSONStringify } from "./primordials.js";
installProxy();
export const show = (value) => JSONStringify(render(value, { maxChars: ${maxChars}, topLevel: true }));
export const caught = (thrown) => JSONStringify(encodeReport(describeThrown(thrown)));
`;

/** Guest code that breaks every intrinsic a careless renderer would lean on, and fails when one of them runs. */
export const poison = `
(() => {
  const boom = () => { const e = new Error("guest code ran"); globalThis.ran ??= e.stack; throw e; };
  const none = Object.create(null);
  const define = (owner, key, descriptor) => {
    const own = Object.create(null);
    for (const name in descriptor) own[name] = descriptor[name];
    Object.defineProperty(owner, key, own);
  };
  const names = Object.getOwnPropertyNames;
  const prototypes = [
    Array, Map, Set, String, Number, BigInt, Symbol, RegExp, Date, Promise, Error, Function, Uint8Array, ArrayBuffer,
    DataView, WeakMap, WeakSet, Iterator, Boolean,
  ].map((c) => c.prototype);
  prototypes.push(Object.getPrototypeOf(Uint8Array.prototype), Object.getPrototypeOf([].values()));
  prototypes.push(Object.getPrototypeOf(new Map().entries()), Object.getPrototypeOf(new Set().values()));
  const statics = [Object, Reflect, JSON, Math, Array, String, Number];
  const keep = new Set(["constructor", "name", "message", "length", "prototype"]);
  const targets = [];
  for (const owner of [...prototypes, ...statics])
    for (const key of names(owner)) if (!keep.has(key)) targets.push([owner, key]);
  const apply = [];
  for (const [owner, key] of targets) {
    const descriptor = Object.getOwnPropertyDescriptor(owner, key);
    if (descriptor.configurable) apply.push([owner, key, { get: boom, set: boom, configurable: true }]);
  }
  // Not \`then\` and \`value\`: the engine itself resolves and fills an ordinary object when an async script ends.
  for (const key of ["toJSON", "0", "1", "get", "writable", "enumerable", "cause", "errors", "stack"])
    for (const owner of [Object.prototype, Array.prototype])
      apply.push([owner, key, { get: boom, set: boom, configurable: true }]);
  for (const symbol of [Symbol.toStringTag, Symbol.toPrimitive, Symbol.isConcatSpreadable])
    apply.push([Object.prototype, symbol, { get: boom, configurable: true }]);
  apply.push([String.prototype, Symbol.iterator, { get: boom, configurable: true }]);
  const prepared = apply.map(([owner, key, d]) => {
    Object.setPrototypeOf(d, null);
    return [owner, key, d];
  });
  const { defineProperty } = Object;
  const count = prepared.length;
  for (let i = 0; i < count; i++) defineProperty(prepared[i][0], prepared[i][1], prepared[i][2]);
})();
`;
