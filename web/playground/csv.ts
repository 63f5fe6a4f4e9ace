/** CSV as RFC 4180 has it, with `,`, `;` or tab between the fields; numbers become numbers, empty fields null. */
import type { Row } from "./own-tables.js";

export function parseCsv(text: string): Row[] {
  const records = split(text.replace(/^\uFEFF/, ""), delimiterOf(text));
  const [header = [], ...body] = records;
  const names = header.map((name, index) => name.trim() || `column_${index + 1}`);
  return body
    .filter((fields) => fields.length > 1 || fields[0] !== "")
    .map((fields) => Object.fromEntries(names.map((name, index) => [name, toValue(fields[index])])));
}

function delimiterOf(text: string): string {
  const line = text.slice(0, Math.max(0, text.search(/\r?\n|$/)));
  const counts = [",", ";", "\t"].map((delimiter) => [delimiter, line.split(delimiter).length] as const);
  return counts.reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

function split(text: string, delimiter: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let field = "";
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    if (quoted) {
      if (character !== '"') field += character;
      else if (text[index + 1] === '"') {
        field += '"';
        index++;
      } else quoted = false;
    } else if (character === '"' && field === "") quoted = true;
    else if (character === delimiter) {
      record.push(field);
      field = "";
    } else if (character === "\n") {
      record.push(field.replace(/\r$/, ""));
      records.push(record);
      record = [];
      field = "";
    } else field += character;
  }
  if (field !== "" || record.length > 0) records.push([...record, field.replace(/\r$/, "")]);
  return records;
}

function toValue(field: string | undefined): string | number | null {
  const text = field?.trim() ?? "";
  if (text === "") return null;
  // Not what only looks like a number: a leading zero is part of a code, more digits than a double has are an id.
  return /^-?(0|[1-9]\d{0,14})(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
}
