/** The arguments of a console call as one text: `%` directives as in Node, strings raw, all else rendered. */

import { bigintText } from "./primitive-text.js";
import { NativeNumber, StringIndexOf, StringSlice } from "./primordials.js";
import { cutMiddle } from "./quote.js";
import { render } from "./render.js";

/** A printed line may not begin with a marker of the result's own. */
const WITHIN_LINE = " ";

const NumberParseInt = NativeNumber.parseInt;
const NumberParseFloat = NativeNumber.parseFloat;

/** @param from Index of the first argument that belongs to the text. */
export function formatArguments(args: readonly unknown[], from: number, maxChars: number): string {
  if (args.length <= from) return "";
  const first = args[from];
  let text: string;
  let next = from + 1;
  if (typeof first === "string" && args.length > next && StringIndexOf(first, "%") >= 0) {
    const formatted = applyDirectives(first, args, next, maxChars);
    text = formatted.text;
    next = formatted.next;
  } else {
    text = argumentText(first, maxChars);
  }
  for (; next < args.length; next++) text += ` ${argumentText(args[next], maxChars)}`;
  return cutMiddle(text, maxChars, WITHIN_LINE);
}

function argumentText(value: unknown, maxChars: number): string {
  return typeof value === "string"
    ? cutMiddle(value, maxChars, WITHIN_LINE)
    : render(value, { maxChars, topLevel: true });
}

/** Directives without an argument left stay as they are; `%%` is one percent sign. */
function applyDirectives(format: string, args: readonly unknown[], next: number, maxChars: number) {
  let text = "";
  let start = 0;
  for (let at = StringIndexOf(format, "%"); at >= 0; at = StringIndexOf(format, "%", at)) {
    const directive = StringSlice(format, at + 1, at + 2);
    const replaced =
      directive === "%"
        ? "%"
        : next < args.length
          ? directiveText(directive, args[next], maxChars)
          : undefined;
    if (replaced === undefined) {
      at += 1;
      continue;
    }
    if (directive !== "%") next++;
    text += StringSlice(format, start, at) + replaced;
    at += 2;
    start = at;
  }
  return { text: text + StringSlice(format, start), next };
}

function directiveText(directive: string, value: unknown, maxChars: number): string | undefined {
  switch (directive) {
    case "s":
      return argumentText(value, maxChars);
    case "d":
      return numberText(value, (plain) => NativeNumber(plain));
    case "i":
      return numberText(value, (plain) => NumberParseInt(`${plain}`, 10));
    case "f":
      return typeof value === "bigint"
        ? `${value}`
        : numberText(value, (plain) => NumberParseFloat(`${plain}`));
    case "j":
    case "o":
    case "O":
      return render(value, { maxChars });
    case "c":
      return "";
    default:
      return undefined;
  }
}

/** Objects are not asked for their number: `valueOf` is the guest's. */
function numberText(value: unknown, parse: (value: string | number | boolean | null) => number): string {
  switch (typeof value) {
    case "bigint":
      return bigintText(value);
    case "string":
    case "number":
    case "boolean":
      return render(parse(value), { maxChars: 40 });
    default:
      return value === null ? render(parse(null), { maxChars: 40 }) : "NaN";
  }
}
