/**
 * A part of what a program can reach, as the tests have it: names and keys in texts, separated by white space. What
 * all functions and all classes have of their own is said here once and not in the lists.
 */
export interface Surface {
  readonly functions: string;
  /** By the names of those that have the same keys: keys of the class, keys of its prototype. */
  readonly classes: Readonly<Record<string, readonly [keys: string, prototype: string]>>;
  /** All keys, by the expression that leads there. */
  readonly objects: Readonly<Record<string, string>>;
}

const ofFunctions = ["length", "name"];
const ofClasses = [...ofFunctions, "prototype"];

/** The own keys, sorted, of everything in the list. */
export function keysOf({ functions, classes, objects }: Surface): Map<string, string[]> {
  const keys = new Map<string, string[]>();
  for (const name of words(functions)) keys.set(name, ofFunctions);
  for (const [names, [own, prototype]] of Object.entries(classes))
    for (const name of words(names)) {
      keys.set(name, [...ofClasses, ...words(own)].sort());
      keys.set(`${name}.prototype`, ["constructor", ...words(prototype)].sort());
    }
  for (const [expression, own] of Object.entries(objects)) keys.set(expression, words(own).sort());
  return keys;
}

export function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
