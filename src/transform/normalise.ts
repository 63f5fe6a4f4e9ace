/**
 * What a model put around its code. A text is only read in another way when it is no program as it stands, and
 * then a note says so; nothing is dropped without one.
 */
export interface Reading {
  readonly text: string;
  readonly written: string;
  /** For the model: how its text was understood. */
  readonly note?: string;
  toWritten(offset: number): number;
}

export function asWritten(text: string): Reading {
  return { text, written: text, toWritten: (offset) => offset };
}

const fence = /^[ \t]*(?:```+|~~~+)/;
/** Behind trimmed text; the look-behinds keep long runs from being tried at each of their places. */
const closingFence = /(?<!\s)\s*(?<![`~])(?:```+|~~~+)$/;

const openingFence = /^\s*(?:```+|~~~+)/;

/** As JavaScript this would be an empty template called as a function, so it is decided before parsing. */
export function startsWithFence(written: string): boolean {
  return openingFence.test(written);
}

/** The content of the one fence around a text that starts with a fence. */
export function unfence(written: string): Reading {
  const opening = openingFence.exec(written)!;
  // The rest of the line is the language; or the word is, if code follows on the same line.
  const language = /^(?:[^\n`~(){};=]*\n|[ \t]*(?:[jt]sx?|javascript|typescript)\b)/i;
  const behind = written.slice(opening[0].length);
  const start = opening[0].length + (language.exec(behind)?.[0].length ?? 0);
  const rest = written.slice(start).trimEnd();
  const text = rest.replace(closingFence, "");
  const note =
    text === rest
      ? "Read as the content of an unclosed code fence."
      : "Read as the content of the code fence.";
  return { text, written, note, toWritten: (offset) => offset + start };
}

export function countFences(written: string): number {
  return written.split("\n").filter((line) => fence.test(line)).length;
}

/** A pair of tags around code, of names that say so. */
export function untag(reading: Reading): Reading | undefined {
  const { text } = reading;
  const tags = /^\s*<(code|script|js|javascript|ts|typescript)>([\s\S]*?)<\/\1>?\s*$/i.exec(text);
  if (tags === null) return undefined;
  const start = text.indexOf(">") + 1;
  const toWritten = (offset: number) => reading.toWritten(offset + start);
  return { ...reading, text: tags[2]!, note: `Read as the content of \`<${tags[1]}>\`.`, toWritten };
}

/** Other readings of a text that does not parse, the most likely one first. */
export function* otherReadings(reading: Reading): Generator<Reading> {
  const { text } = reading;
  const tail = text.slice(-200);
  const tag = /(?<!\s)\s*(?:<\/[\w:-]*>?\s*)+$/.exec(tail);
  if (tag)
    yield {
      ...reading,
      text: text.slice(0, text.length - tail.length + tag.index),
      note: `Read without the \`${tag[0].trim()}\` at the end.`,
    };
  const trimmed = text.trimEnd();
  if (countFences(text) === 1 && closingFence.test(trimmed))
    yield {
      ...reading,
      text: trimmed.replace(closingFence, ""),
      note: "Read without the code fence at the end.",
    };
  yield* unescapedReadings(reading);
}

/** One physical line with escaped line breaks in it. */
export function* unescapedReadings(reading: Reading): Generator<Reading> {
  if (!reading.text.includes("\\n") || reading.text.trim().includes("\n")) return;
  yield unescapeLineBreaks(reading);
  yield unescapeAll(reading);
}

/** Escapes outside of strings; those in strings are the program's own. */
function unescapeLineBreaks(reading: Reading): Reading {
  let quote = "";
  return rewrite(reading, /\\[nrt]|\\[\s\S]|["'`]/g, (found) => {
    if (found.length === 1) {
      if (quote === "") quote = found;
      else if (quote === found) quote = "";
      return found;
    }
    return quote === "" ? plain(found) : found;
  });
}

/** The text was escaped as a whole, its quotes too. */
function unescapeAll(reading: Reading): Reading {
  return rewrite(reading, /\\[nrt"'`\\]/g, plain);
}

function plain(sequence: string): string {
  switch (sequence[1]) {
    case "n":
      return "\n";
    case "r":
      return "\r";
    case "t":
      return "\t";
    default:
      return sequence.slice(1);
  }
}

function rewrite(reading: Reading, pattern: RegExp, replace: (found: string) => string): Reading {
  const shrunkAt: number[] = [];
  const parts: string[] = [];
  let length = 0;
  let position = 0;
  const append = (part: string) => {
    parts.push(part);
    length += part.length;
  };
  for (const match of reading.text.matchAll(pattern)) {
    append(reading.text.slice(position, match.index));
    const replacement = replace(match[0]);
    append(replacement);
    if (replacement.length < match[0].length) shrunkAt.push(length);
    position = match.index + match[0].length;
  }
  append(reading.text.slice(position));
  return {
    text: parts.join(""),
    written: reading.written,
    note: "Read with its escaped line breaks as line breaks.",
    toWritten: (offset) => reading.toWritten(offset + shrunkAt.filter((at) => at <= offset).length),
  };
}
