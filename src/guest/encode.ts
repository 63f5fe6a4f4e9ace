/** Guest values as text for the host; `src/values/value-format.ts` describes the format. */
import { sendBytes } from "./bytes.js";
import { toOwnJson } from "./own-json.js";
import { toPlainJson } from "./plain-json.js";
import { StringIndexOf, StringIsWellFormed } from "./primordials.js";
import { writeTable } from "./table-writer.js";

/**
 * `where` names the value in the error for what cannot cross. The argument of a call is read as the program that made
 * it would read it; with `asData` no guest code runs, and what would need it (an accessor, a proxy) does not cross.
 */
export function encode(value: unknown, where: string, asData = false): string {
  if (typeof value === "string" && isPlainText(value)) return `s${value}`;
  const json = toPlainJson(value, asData);
  if (json !== undefined) return `j${json}`;
  const { nodes, views } = writeTable(value, where, asData);
  const table = toOwnJson(nodes);
  // Only now: what reads the value may be guest code, which makes calls of its own.
  sendBytes(views);
  return `x${table}`;
}

/** What survives the way through a C string as it is. */
function isPlainText(text: string): boolean {
  return StringIsWellFormed(text) && StringIndexOf(text, "\0") === -1;
}
