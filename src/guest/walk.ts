/** One try of `render.ts` at showing a value: its limits, what it found, and where in the value it is. */
import type { Block } from "./block.js";
import { summary } from "./labels.js";
import { bigintText, symbolText } from "./primitive-text.js";
import { ObjectIs } from "./primordials.js";
import { quoteBounded } from "./quote.js";

/** Limits of one try, and what it found. */
export interface Walk {
  readonly items: number;
  readonly string: number;
  readonly depth: number;
  budget: number;
  /** The budget is used up: the text is worthless, stop. */
  over: boolean;
  /** The most items any list got. */
  widest: number;
  abbreviated: boolean;
  promises: number;
  /** Renders a value inside another one; here, so that lists and properties need not know who calls them. */
  readonly inner: (value: unknown, walk: Walk, parent: Around, step: string, indent: number) => string;
  /** Keys of the last object that had very many; kept from one try to the next, because listing them is slow. */
  readonly known: KnownKeys;
}

export interface KnownKeys {
  owner: object | null;
  keys: (string | symbol)[];
}

/** The objects around the one being shown, innermost first: what a cycle leads back to. */
export interface Around {
  readonly value: object;
  /** How the outer object leads here: `.rows`, `[3]`; empty for the outermost. */
  readonly step: string;
  readonly parent: Around | null;
}

export function spend(walk: Walk, chars: number): void {
  walk.budget -= chars;
  if (walk.budget < 0) walk.over = true;
}

export function leaf(walk: Walk, text: string): string {
  spend(walk, text.length);
  return text;
}

export function circular(outer: Around): string {
  let path = "";
  for (let at: Around | null = outer; at !== null; at = at.parent) path = at.step + path;
  return path === "" ? "[Circular]" : `[Circular: ${path.length > 60 ? "above" : path}]`;
}

/** What stands for a value where there is no room to look into it. */
export function shortened(value: object, walk: Walk): string {
  walk.abbreviated = true;
  return leaf(walk, summary(value));
}

export function renderPrimitive(value: unknown, walk: Walk): string {
  switch (typeof value) {
    case "string":
      if (value.length > walk.string) walk.abbreviated = true;
      return quoteBounded(value, walk.string);
    case "number":
      return ObjectIs(value, -0) ? "-0" : `${value}`;
    case "bigint":
      return bigintText(value);
    case "symbol":
      return symbolText(value);
    default:
      return `${value as null | undefined | boolean}`;
  }
}

export function noteWidth(block: Block, walk: Walk): void {
  if (block.count > walk.widest) walk.widest = block.count;
}
