/** What of an eval's message is the value, and which of it is a table or a chart. */

import { resultValue, valueText } from "../demo/scenarios/turn.js";

export interface ResultParts {
  /** What is behind the arrow, or the whole text of a failure. */
  readonly text: string;
  /** The same as data, where it is JSON. */
  readonly value: unknown;
}

export function resultParts(
  message: string,
  failed: boolean,
  printed: readonly { level: string; text: string }[],
): ResultParts {
  const rest = withoutConsole(message, printed);
  if (failed) return { text: rest, value: undefined };
  const text = valueText(rest);
  return text === undefined ? { text: rest, value: undefined } : { text, value: resultValue(rest) };
}

/** The console has a place of its own on the page. */
function withoutConsole(message: string, printed: readonly { level: string; text: string }[]): string {
  let rest = message;
  for (const { level, text } of printed) {
    const line = ["warn", "error"].includes(level) ? `[${level}] ${text}` : text;
    if (!rest.startsWith(line)) return rest;
    rest = rest.slice(line.length).replace(/^\n/, "");
  }
  return rest;
}

export type Cell = string | number | boolean | null;

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, Cell>>[];
}

const isCell = (value: unknown): value is Cell =>
  value === null || ["string", "number", "boolean"].includes(typeof value);

/** A list of flat objects, alone or as members of an object. */
export function tablesOf(value: unknown, title = ""): Table[] {
  if (Array.isArray(value)) {
    const rows = value as unknown[];
    if (rows.length === 0 || !rows.every(isRow)) return [];
    const columns = [...new Set((rows as Table["rows"]).flatMap((row) => Object.keys(row)))];
    return columns.length > 0 && columns.length <= 12
      ? [{ title, columns, rows: rows as Table["rows"] }]
      : [];
  }
  if (title !== "" || typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => tablesOf(member, name));
}

function isRow(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(isCell)
  );
}

/** The members of an object that are not tables. */
export function factsOf(value: unknown): [name: string, text: string][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, member]): [string, string][] => {
    if (tablesOf(member, name).length > 0) return [];
    return [[name, isCell(member) ? String(member) : JSON.stringify(member)]];
  });
}
