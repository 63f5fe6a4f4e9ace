/** Text from the host as guest values; `src/values/value-format.ts` describes the format. Only our own host writes it. */
import { JSONParse, StringSlice } from "./primordials.js";
import { readTable } from "./table-reader.js";

/** @param from Where in the text the value begins; it goes on to the end. */
export function decode(text: string, from: number): unknown {
  const body = StringSlice(text, from + 1);
  if (text[from] === "s") return body;
  return text[from] === "j" ? JSONParse(body) : readTable(JSONParse(body) as unknown[]);
}
