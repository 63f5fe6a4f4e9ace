/** What is only reached from a value or belongs to one session: no name of the language or of the prelude leads there. */
import type { Surface } from "./surface.js";

export const nameless: Surface = {
  functions: "task tools.echo",
  classes: {},
  objects: {
    $unawaited: "length name prototype",
    "$unawaited.prototype": "constructor",
    $called_tools: "",
    "Object.getPrototypeOf(Int8Array)": "from length name of prototype Symbol(Symbol.species)",
    "Object.getPrototypeOf(Int8Array).prototype": `
      at buffer byteLength byteOffset constructor copyWithin entries every fill filter find findIndex
      findLast findLastIndex forEach includes indexOf join keys lastIndexOf length map reduce reduceRight
      reverse set slice some sort subarray toLocaleString toReversed toSorted toString values with
      Symbol(Symbol.iterator) Symbol(Symbol.toStringTag)`,
    "(function* () {}).constructor": "length name prototype",
    "(function* () {}).constructor.prototype": "constructor prototype Symbol(Symbol.toStringTag)",
    "(async () => {}).constructor": "length name prototype",
    "(async () => {}).constructor.prototype": "constructor Symbol(Symbol.toStringTag)",
    "(async function* () {}).constructor": "length name prototype",
    "(async function* () {}).constructor.prototype": "constructor prototype Symbol(Symbol.toStringTag)",
    "Object.getPrototypeOf(function* () {}.prototype)":
      "constructor next return throw Symbol(Symbol.toStringTag)",
    "Object.getPrototypeOf(async function* () {}.prototype)":
      "constructor next return throw Symbol(Symbol.toStringTag)",
    "Object.getPrototypeOf([][Symbol.iterator]())": "next Symbol(Symbol.toStringTag)",
    "Object.getPrototypeOf(new Map()[Symbol.iterator]())": "next Symbol(Symbol.toStringTag)",
    "Object.getPrototypeOf(new Set()[Symbol.iterator]())": "next Symbol(Symbol.toStringTag)",
    "Object.getPrototypeOf(''[Symbol.iterator]())": "next Symbol(Symbol.toStringTag)",
    "Object.getPrototypeOf(''.matchAll(/a/g))": "next Symbol(Symbol.toStringTag)",
    "Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}.prototype))":
      "Symbol(Symbol.asyncIterator)",
    tools: "echo",
  },
};
