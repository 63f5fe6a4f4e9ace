/** `Intl.Segmenter`: the host finds all boundaries of a text at once, the guest cuts it. */
import { NativeNumber, NativeString, StringSlice } from "../primordials.js";
import { ask } from "./intl-request.js";
import { descriptionOf, Service } from "./intl-service.js";
import { MathTrunc } from "./intrinsics.js";

type Boundary = number | [index: number, isWordLike: boolean];

class Segments {
  readonly #text: string;
  readonly #starts: Boundary[];

  constructor(text: string, starts: Boundary[]) {
    this.#text = text;
    this.#starts = starts;
  }

  #startOf(at: number): number {
    const start = this.#starts[at];
    return start === undefined ? this.#text.length : typeof start === "number" ? start : start[0];
  }

  #segment(at: number): object {
    const start = this.#starts[at]!;
    const index = this.#startOf(at);
    const segment = StringSlice(this.#text, index, this.#startOf(at + 1));
    const data = { segment, index, input: this.#text };
    return typeof start === "number" ? data : { ...data, isWordLike: start[1] };
  }

  containing(position: unknown = 0): object | undefined {
    const wanted = MathTrunc(NativeNumber(position)) || 0;
    if (wanted < 0 || wanted >= this.#text.length) return undefined;
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#startOf(middle) <= wanted) low = middle;
      else high = middle;
    }
    return this.#segment(low);
  }

  *[Symbol.iterator](): Generator<object> {
    for (let at = 0; at < this.#starts.length; at++) yield this.#segment(at);
  }
}

export class Segmenter extends Service {
  constructor(locales?: unknown, options?: unknown) {
    super("Segmenter", locales, options);
  }
  segment(text: unknown): Segments {
    const source = NativeString(text);
    return new Segments(source, ask(descriptionOf(this), "segment", [source]) as Boundary[]);
  }
}
