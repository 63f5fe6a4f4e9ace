/** What the engine gives every guest: the language. */
import type { Surface } from "./surface.js";

export const language: Surface = {
  functions: `
    decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval isFinite isNaN parseFloat
    parseInt unescape`,
  classes: {
    "AggregateError EvalError InternalError RangeError ReferenceError SyntaxError TypeError URIError": [
      "",
      "message name",
    ],
    Array: [
      "from fromAsync isArray of Symbol(Symbol.species)",
      `
      at concat copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap
      forEach includes indexOf join keys lastIndexOf length map pop push reduce reduceRight reverse shift
      slice some sort splice toLocaleString toReversed toSorted toSpliced toString unshift values with
      Symbol(Symbol.iterator) Symbol(Symbol.unscopables)`,
    ],
    ArrayBuffer: [
      "isView Symbol(Symbol.species)",
      `
      byteLength detached maxByteLength resizable resize slice transfer transferToFixedLength
      Symbol(Symbol.toStringTag)`,
    ],
    BigInt: ["asIntN asUintN", "toLocaleString toString valueOf Symbol(Symbol.toStringTag)"],
    "BigInt64Array BigUint64Array Float16Array Float32Array Float64Array Int16Array Int32Array Int8Array Uint16Array Uint32Array Uint8ClampedArray":
      ["BYTES_PER_ELEMENT", "BYTES_PER_ELEMENT"],
    Boolean: ["", "toString valueOf"],
    DataView: [
      "",
      `
      buffer byteLength byteOffset getBigInt64 getBigUint64 getFloat16 getFloat32 getFloat64 getInt16
      getInt32 getInt8 getUint16 getUint32 getUint8 setBigInt64 setBigUint64 setFloat16 setFloat32
      setFloat64 setInt16 setInt32 setInt8 setUint16 setUint32 setUint8 Symbol(Symbol.toStringTag)`,
    ],
    Date: [
      "UTC now parse",
      `
      getDate getDay getFullYear getHours getMilliseconds getMinutes getMonth getSeconds getTime
      getTimezoneOffset getUTCDate getUTCDay getUTCFullYear getUTCHours getUTCMilliseconds getUTCMinutes
      getUTCMonth getUTCSeconds getYear setDate setFullYear setHours setMilliseconds setMinutes setMonth
      setSeconds setTime setUTCDate setUTCFullYear setUTCHours setUTCMilliseconds setUTCMinutes
      setUTCMonth setUTCSeconds setYear toDateString toGMTString toISOString toJSON toLocaleDateString
      toLocaleString toLocaleTimeString toString toTimeString toUTCString valueOf
      Symbol(Symbol.toPrimitive)`,
    ],
    Error: ["isError", "message name toString"],
    FinalizationRegistry: ["", "register unregister Symbol(Symbol.toStringTag)"],
    Function: [
      "",
      `
      apply arguments bind call caller columnNumber fileName length lineNumber name toString
      Symbol(Symbol.hasInstance)`,
    ],
    Iterator: [
      "concat from",
      `
      drop every filter find flatMap forEach map reduce some take toArray Symbol(Symbol.iterator)
      Symbol(Symbol.toStringTag)`,
    ],
    Map: [
      "groupBy Symbol(Symbol.species)",
      `
      clear delete entries forEach get getOrInsert getOrInsertComputed has keys set size values
      Symbol(Symbol.iterator) Symbol(Symbol.toStringTag)`,
    ],
    Number: [
      `
      EPSILON MAX_SAFE_INTEGER MAX_VALUE MIN_SAFE_INTEGER MIN_VALUE NEGATIVE_INFINITY NaN
      POSITIVE_INFINITY isFinite isInteger isNaN isSafeInteger parseFloat parseInt`,
      "toExponential toFixed toLocaleString toPrecision toString valueOf",
    ],
    Object: [
      `
      assign create defineProperties defineProperty entries freeze fromEntries getOwnPropertyDescriptor
      getOwnPropertyDescriptors getOwnPropertyNames getOwnPropertySymbols getPrototypeOf groupBy hasOwn is
      isExtensible isFrozen isSealed keys preventExtensions seal setPrototypeOf values`,
      `
      __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ hasOwnProperty
      isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf`,
    ],
    Promise: [
      "all allSettled any race reject resolve try withResolvers Symbol(Symbol.species)",
      "catch finally then Symbol(Symbol.toStringTag)",
    ],
    RegExp: [
      "escape Symbol(Symbol.species)",
      `
      compile dotAll exec flags global hasIndices ignoreCase multiline source sticky test toString unicode
      unicodeSets Symbol(Symbol.match) Symbol(Symbol.matchAll) Symbol(Symbol.replace)
      Symbol(Symbol.search) Symbol(Symbol.split)`,
    ],
    Set: [
      "groupBy Symbol(Symbol.species)",
      `
      add clear delete difference entries forEach has intersection isDisjointFrom isSubsetOf isSupersetOf
      keys size symmetricDifference union values Symbol(Symbol.iterator) Symbol(Symbol.toStringTag)`,
    ],
    SharedArrayBuffer: [
      "Symbol(Symbol.species)",
      "byteLength grow growable maxByteLength slice Symbol(Symbol.toStringTag)",
    ],
    String: [
      "fromCharCode fromCodePoint raw",
      `
      anchor at big blink bold charAt charCodeAt codePointAt concat endsWith fixed fontcolor fontsize
      includes indexOf isWellFormed italics lastIndexOf length link localeCompare match matchAll normalize
      padEnd padStart repeat replace replaceAll search slice small split startsWith strike sub substr
      substring sup toLocaleLowerCase toLocaleUpperCase toLowerCase toString toUpperCase toWellFormed trim
      trimEnd trimLeft trimRight trimStart valueOf Symbol(Symbol.iterator)`,
    ],
    Symbol: [
      `
      asyncIterator for hasInstance isConcatSpreadable iterator keyFor match matchAll replace search
      species split toPrimitive toStringTag unscopables`,
      "description toString valueOf Symbol(Symbol.toPrimitive) Symbol(Symbol.toStringTag)",
    ],
    Uint8Array: [
      "BYTES_PER_ELEMENT fromBase64 fromHex",
      "BYTES_PER_ELEMENT setFromBase64 setFromHex toBase64 toHex",
    ],
    WeakMap: ["", "delete get getOrInsert getOrInsertComputed has set Symbol(Symbol.toStringTag)"],
    WeakRef: ["", "deref Symbol(Symbol.toStringTag)"],
    WeakSet: ["", "add delete has Symbol(Symbol.toStringTag)"],
  },
  objects: {
    JSON: "parse stringify Symbol(Symbol.toStringTag)",
    Math: `
      E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2 abs acos acosh asin asinh atan atan2 atanh cbrt ceil clz32
      cos cosh exp expm1 f16round floor fround hypot imul log log10 log1p log2 max min pow random round
      sign sin sinh sqrt sumPrecise tan tanh trunc Symbol(Symbol.toStringTag)`,
    Proxy: "length name revocable",
    Reflect: `
      apply construct defineProperty deleteProperty get getOwnPropertyDescriptor getPrototypeOf has
      isExtensible ownKeys preventExtensions set setPrototypeOf Symbol(Symbol.toStringTag)`,
  },
};
