/**
 * Any guest value as text for a reader. Plain data reads as JSON and can be pasted back into code; every other kind
 * is recognisable. Never runs a getter, `toJSON`, a proxy trap or a patched prototype; never throws; never longer
 * than `maxChars`.
 *
 * What does not fit is tried again with less: fewer items per list, shorter strings, less depth, until it fits, so
 * that a long first property does not push out its siblings. Each try stops once it is over the budget, so the whole
 * costs time in proportion to `maxChars`, not to the value.
 */

import { summary } from "./labels.js";
import { MathFloor, MathMax, MathMin, ObjectIs, StringSlice } from "./primordials.js";
import { cutMiddle, headEnd, needsQuotes, quote, quoteBounded } from "./quote.js";
import { renderProperties } from "./render-properties.js";
import { renderValue } from "./render-value.js";
import type { KnownKeys, Walk } from "./walk.js";

export interface RenderOptions {
  readonly maxChars: number;
  /** The value is the whole answer: a string is shown raw, an error without brackets. */
  readonly topLevel?: boolean;
}

export interface Rendered {
  readonly text: string;
  /** Something was left out. */
  readonly abbreviated: boolean;
  /** How many promises the text mentions; see `promiseHint`. */
  readonly promises: number;
}

const MAX_DEPTH = 32;
const LAST_TRIES: { readonly items: number; readonly string: number; readonly depth: number }[] = [
  { items: 3, string: 48, depth: 2 },
  { items: 2, string: 24, depth: 1 },
  { items: 1, string: 12, depth: 1 },
];

export function render(value: unknown, options: RenderOptions): string {
  return renderReport(value, options).text;
}

/** `render`, and what the text does not say. */
export function renderReport(value: unknown, options: RenderOptions): Rendered {
  const maxChars = MathMax(0, options.maxChars);
  const topLevel = options.topLevel === true;
  if (topLevel && typeof value === "string")
    return { text: topString(value, maxChars), abbreviated: value.length > maxChars, promises: 0 };
  if (typeof value === "number" || typeof value === "boolean" || value === undefined || value === null) {
    const text = ObjectIs(value, -0) ? "-0" : `${value}`;
    if (text.length <= maxChars) return { text, abbreviated: false, promises: 0 };
  }
  return fitBudget(
    maxChars,
    (walk) => renderValue(value, walk, null, "", 0, topLevel),
    () => summary(value),
  );
}

/** The own enumerable properties of an object except some, as `{"a": 1}`; undefined when there are none. */
export function renderOwn(
  value: object,
  skip: (key: string) => boolean,
  maxChars: number,
): string | undefined {
  const { text } = fitBudget(
    maxChars,
    (walk) => renderProperties(value, walk, null, 0, skip),
    () => "{...}",
  );
  return text === "{}" ? undefined : text;
}

/** What to tell about promises inside a value. */
export function promiseHint(promises: number): string {
  return promises === 1
    ? "the value contains a promise that was not awaited: did you forget await?"
    : `the value contains ${promises} promises that were not awaited: did you forget await Promise.all(...)?`;
}

function fitBudget(maxChars: number, draw: (walk: Walk) => string, brief: () => string): Rendered {
  try {
    let items = MathMax(8, maxChars);
    let string = MathMax(64, maxChars);
    let depth = MAX_DEPTH;
    const known: KnownKeys = { owner: null, keys: [] };
    while (items >= 6) {
      const walk = newWalk(items, string, depth, maxChars, known);
      const text = draw(walk);
      if (!walk.over && text.length <= maxChars) return report(text, walk);
      // One long list: about as many items as were shown when the budget ran out will fit.
      items = walk.widest > 64 ? MathMin(items / 2, walk.widest * 0.8) : items / 2;
      string = MathMax(64, string / 2);
      if (items < 64) depth = MathMax(3, depth / 2);
    }
    for (let i = 0; i < LAST_TRIES.length; i++) {
      const limits = LAST_TRIES[i] as (typeof LAST_TRIES)[number];
      const walk = newWalk(limits.items, limits.string, limits.depth, maxChars, known);
      const text = draw(walk);
      if (!walk.over && text.length <= maxChars) return report(text, walk);
    }
    return { text: end(brief(), maxChars), abbreviated: true, promises: 0 };
  } catch (thrown) {
    return { text: end(whyNot(thrown), maxChars), abbreviated: true, promises: 0 };
  }
}

/** Raw where nobody can take it for something else. The check sees what will be seen: head and tail. */
function topString(text: string, maxChars: number): string {
  if (text.length <= maxChars) {
    if (!needsQuotes(text)) return text;
  } else if (
    !needsQuotes(StringSlice(text, 0, maxChars)) &&
    !needsQuotes(StringSlice(text, text.length - maxChars))
  )
    return cutMiddle(text, maxChars);
  for (let size = maxChars; size > 8; size = MathFloor(size * 0.75)) {
    const quoted = quoteBounded(text, size);
    if (quoted.length <= maxChars) return quoted;
  }
  return end(quote(StringSlice(text, 0, 8)), maxChars);
}

function newWalk(items: number, string: number, depth: number, budget: number, known: KnownKeys): Walk {
  return {
    items: MathFloor(items),
    string: MathFloor(string),
    depth: MathFloor(depth),
    budget,
    over: false,
    widest: 0,
    abbreviated: false,
    promises: 0,
    inner: (value, walk, parent, step, indent) => renderValue(value, walk, parent, step, indent, false),
    known,
  };
}

function report(text: string, walk: Walk): Rendered {
  return { text, abbreviated: walk.abbreviated, promises: walk.promises };
}

/** Only the engine itself can fail in here: no memory or no stack left. */
function whyNot(thrown: unknown): string {
  return thrown === null || (thrown as Error).message === "out of memory"
    ? "[not enough memory left to show this value]"
    : "[not enough stack left to show this value]";
}

function end(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return maxChars < 1 ? "" : `${StringSlice(text, 0, headEnd(text, maxChars - 1))}…`;
}
