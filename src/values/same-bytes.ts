export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  // A loop: with `every`, 20 MB are as many calls of a function.
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false;
  return true;
}
