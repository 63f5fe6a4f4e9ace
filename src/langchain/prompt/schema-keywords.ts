/** Reads a JSON Schema that nobody has checked: whatever stands in a keyword's place, nothing throws. */
import type { JsonSchema } from "./schema-json.js";

export type Keywords = { readonly [keyword: string]: unknown };

export function isKeywords(value: unknown): value is Keywords {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function keywords(value: unknown): Keywords {
  return isKeywords(value) ? value : {};
}

/** Own properties only: a property named `constructor` is the schema's own or it is not there. */
export function own(object: Keywords, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Only references inside the document: nothing is ever fetched. */
export function resolveReference(reference: string, root: JsonSchema): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let target: unknown = root;
  for (const segment of reference.slice(2).split("/")) {
    let key = segment;
    try {
      key = decodeURIComponent(segment);
    } catch {
      // Not percent encoded, then it is meant literally.
    }
    key = key.replace(/~1/g, "/").replace(/~0/g, "~");
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) return undefined;
    target = (target as Keywords)[key];
  }
  return target;
}
