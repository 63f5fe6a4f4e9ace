/** Strings as text: quoting, cutting, and telling our own framing from what the guest wrote. */
import {
  JSONStringify,
  MathFloor,
  StringCharCodeAt,
  StringIndexOf,
  StringLastIndexOf,
  StringSlice,
  StringTrimEnd,
  uncurry,
} from "./primordials.js";

const RegExpExec = uncurry(RegExp.prototype.exec) as (pattern: RegExp, text: string) => unknown;

/**
 * Beginnings of lines that the result text uses itself (`src/result/framing.ts` has the same pattern; a test compares
 * them): the arrow, the cut marker, level prefixes, failure headers, positions.
 */
export const FRAMING =
  /^(?:→|… \[|\[(?:log|warn|error)\] |Uncaught |Thrown: |(?:Timeout|Wait timeout|Out of memory|Stack overflow|Aborted|Session rebuilt|Never settled|Paused): |[\w$.]*(?:Error|Exception): | {2}at (?:\S+ \()?(?:eval \d|module \S))/m;
/** Control characters apart from tab and line breaks, and halves of surrogate pairs: what JSON escapes. */
const UNPRINTABLE =
  /[\0-\x08\x0b\x0c\x0e-\x1f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const LINE_BREAK = /[\n\r\u2028\u2029]/;
/** Texts that would read as another value, or as a second arrow or a cut behind ours. Sticky: tried at the start only. */
const OTHER_VALUE = /(?:undefined|null|\s*)$|→|… \[/y;

function matches(pattern: RegExp, text: string): boolean {
  return RegExpExec(pattern, text) !== null;
}

/** A string literal that is valid JSON and valid JavaScript, lone surrogates included. */
export function quote(text: string): string {
  return JSONStringify(text);
}

/** Names, symbols, messages: kept as they are when they print on one line, escaped otherwise, cut when long. */
export function oneLine(text: string, maxChars = 200): string {
  const cut = text.length > maxChars ? `${StringSlice(text, 0, headEnd(text, maxChars))}…` : text;
  if (!matches(UNPRINTABLE, cut) && !matches(LINE_BREAK, cut)) return cut;
  const quoted = JSONStringify(cut);
  return StringSlice(quoted, 1, quoted.length - 1);
}

/**
 * Whether a string as the whole answer is empty, does not print, or could be taken for something else. Its first line
 * stands behind the arrow, where nothing but a value can be; the others have to be unlike anything of ours.
 */
export function needsQuotes(text: string): boolean {
  OTHER_VALUE.lastIndex = 0;
  if (matches(OTHER_VALUE, text)) return true;
  // A pattern takes this engine five times as long as its JSON.
  const quoted = JSONStringify(text);
  if (quoted.length === text.length + 2) {
    if (StringIndexOf(text, "\u2028") < 0 && StringIndexOf(text, "\u2029") < 0) return false;
  } else if (hasEscapeOfUnprintable(quoted) && matches(UNPRINTABLE, text)) return true;
  const rest = RegExpExec(LINE_BREAK, text) as { index: number } | null;
  return rest !== null && (matches(FRAMING, StringSlice(text, rest.index + 1)) || endsInNote(text));
}

/** False: there is nothing unprintable in the text. True: there may be, or a backslash of its own. */
function hasEscapeOfUnprintable(quoted: string): boolean {
  return (
    StringIndexOf(quoted, "\\u") >= 0 ||
    StringIndexOf(quoted, "\\b") >= 0 ||
    StringIndexOf(quoted, "\\f") >= 0
  );
}

/** A last line that looks like one of our notes. */
function endsInNote(text: string): boolean {
  const trimmed = StringTrimEnd(text);
  const line = StringSlice(trimmed, StringLastIndexOf(trimmed, "\n") + 1);
  return line.length > 1 && line[0] === "(" && line[line.length - 1] === ")";
}

/** The largest end not above `end` that does not split a surrogate pair. */
export function headEnd(text: string, end: number): number {
  if (end <= 0) return 0;
  if (end >= text.length) return text.length;
  return isPairAt(text, end - 1) ? end - 1 : end;
}

/** The smallest start not below `start` that does not split a surrogate pair. */
export function tailStart(text: string, start: number): number {
  if (start >= text.length) return text.length;
  return start > 0 && isPairAt(text, start - 1) ? start + 1 : start;
}

function isPairAt(text: string, index: number): boolean {
  const first = StringCharCodeAt(text, index);
  const second = StringCharCodeAt(text, index + 1);
  return first >= 0xd800 && first <= 0xdbff && second >= 0xdc00 && second <= 0xdfff;
}

/** A nested string: quoted, and beyond `maxChars` head and tail with the count of what is missing between. */
export function quoteBounded(text: string, maxChars: number): string {
  if (text.length <= maxChars) return JSONStringify(text);
  const end = headEnd(text, MathFloor((maxChars * 2) / 3));
  const start = tailStart(text, text.length - (maxChars - end));
  const tail = start < text.length ? ` ${JSONStringify(StringSlice(text, start))}` : "";
  return `${JSONStringify(StringSlice(text, 0, end))} ... ${start - end} more characters ...${tail}`;
}

export function cutMarker(count: number): string {
  return `… [${grouped(count)} characters cut] …`;
}

/** `12345` as `12,345`. */
export function grouped(count: number): string {
  let digits = `${count}`;
  let out = "";
  while (digits.length > 3) {
    out = `,${StringSlice(digits, digits.length - 3)}${out}`;
    digits = StringSlice(digits, 0, digits.length - 3);
  }
  return digits + out;
}

/**
 * Head and tail of a text with a marker between, on a line of its own unless `around` says otherwise; at most
 * `maxChars`, unless that cannot hold the marker.
 */
export function cutMiddle(text: string, maxChars: number, around = "\n"): string {
  if (text.length <= maxChars) return text;
  const marker = cutMarker(text.length);
  const room = maxChars - marker.length - 2;
  if (room < 8) return maxChars < marker.length ? StringSlice(marker, 0, maxChars) : marker;
  const end = headEnd(text, MathFloor((room * 2) / 3));
  const start = tailStart(text, text.length - (room - end));
  const cut = cutMarker(start - end);
  return StringSlice(text, 0, end) + around + cut + around + StringSlice(text, start);
}

export function hasLineBreak(text: string): boolean {
  return StringIndexOf(text, "\n") >= 0;
}

/** Continuation lines moved in, so that none can begin like a line of ours. */
export function indentRest(text: string): string {
  if (!matches(LINE_BREAK, text)) return text;
  let out = "";
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const code = StringCharCodeAt(text, i);
    if (code !== 10 && code !== 13 && code !== 0x2028 && code !== 0x2029) continue;
    out += `${StringSlice(text, start, i)}\n  `;
    if (code === 13 && StringCharCodeAt(text, i + 1) === 10) i++;
    start = i + 1;
  }
  return out + StringSlice(text, start);
}
