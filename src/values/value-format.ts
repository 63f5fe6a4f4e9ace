/**
 * Values as text, for the boundary between host and guest. `encode-value.ts` and `decode-value.ts` are the host's
 * end, `guest/encode.ts` and `guest/decode.ts` the guest's.
 *
 * `s` + the text: a string that JSON would not change. `j` + JSON: plain data. `x` + JSON of a table of nodes, node 0 the
 * root, for everything else: a node is a JSON primitive for itself, or an array whose first item is a tag and whose
 * indices point at other nodes.
 *
 *   ["u"] undefined      ["n", "NaN"]      ["b", "12"] bigint     ["d", ms | null] Date    ["r", source, flags]
 *   ["a", ...index]      -1 is a hole      ["o" | "O", key, index, ...] object, O without prototype
 *   ["m", key, value, ...] Map             ["s", ...index] Set
 *   ["t", type, ...bytes] typed array      ["A", ...bytes] ArrayBuffer
 *   ["e", name, message, cause, errors, data]   Error; -1 where absent; data is an object of its other properties
 *
 * Bytes are base64 where the text stands alone. Between host and guest they cross beside it: an index into what crosses,
 * and for the guest the length too.
 *
 * JSON escapes NUL and lone surrogates, so strings cross code-unit exact. The table has no recursion and keeps shared
 * references and cycles. Text from the guest is untrusted: indices and tags are checked.
 */

export type Node = string | number | boolean | null | readonly unknown[];

/** The views that cross as what they are, by their tag. */
export const viewsByTag: ReadonlyMap<string, (buffer: ArrayBuffer) => ArrayBufferView> = new Map<
  string,
  (buffer: ArrayBuffer) => ArrayBufferView
>([
  ["Int8Array", (b) => new Int8Array(b)],
  ["Uint8Array", (b) => new Uint8Array(b)],
  ["Uint8ClampedArray", (b) => new Uint8ClampedArray(b)],
  ["Int16Array", (b) => new Int16Array(b)],
  ["Uint16Array", (b) => new Uint16Array(b)],
  ["Int32Array", (b) => new Int32Array(b)],
  ["Uint32Array", (b) => new Uint32Array(b)],
  ["Float32Array", (b) => new Float32Array(b)],
  ["Float64Array", (b) => new Float64Array(b)],
  ["BigInt64Array", (b) => new BigInt64Array(b)],
  ["BigUint64Array", (b) => new BigUint64Array(b)],
  ["DataView", (b) => new DataView(b)],
]);
