/** What calls answered, as text for the guest, until it is ready to take it: one crossing for many results. */
import { encodeValue } from "../values/encode-value.js";

export class Settlements {
  readonly #maxValueChars: number;
  #texts: string[] = [];
  /** The bytes in the values, which cross beside the text. */
  #bytes: Uint8Array[] = [];

  /** @param maxValueChars A longer value is told as an error instead. */
  constructor(maxValueChars: number) {
    this.#maxValueChars = maxValueChars;
  }

  get areThere(): boolean {
    return this.#texts.length > 0;
  }

  /** A value or an error for the guest, and how many characters that takes. Never throws. */
  add(id: number, mark: "=" | "!", value: unknown): number {
    const before = this.#bytes.length;
    let text: string;
    try {
      text = value === undefined ? "" : encodeValue(value, this.#bytes);
      let chars = text.length;
      for (let index = before; index < this.#bytes.length; index++) chars += this.#bytes[index]?.length ?? 0;
      if (chars > this.#maxValueChars) {
        mark = "!";
        this.#bytes.length = before;
        text = encodeValue(
          new RangeError(
            `The result is ${chars} characters, more than the ${this.#maxValueChars} that fit. Ask for less.`,
          ),
        );
      }
    } catch (error) {
      mark = "!";
      this.#bytes.length = before;
      text = encodeValue(new TypeError(`The result could not be passed on: ${messageOf(error)}`));
    }
    this.#texts.push(`${id}${mark}${text.length}\n${text}`);
    return text.length;
  }

  /** Everything that was added since, as one text, and the bytes that it names. */
  take(): { readonly text: string; readonly bytes: readonly Uint8Array[] } {
    const batch = { text: this.#texts.join(""), bytes: this.#bytes };
    this.clear();
    return batch;
  }

  clear(): void {
    this.#texts = [];
    this.#bytes = [];
  }
}

/** A host value may be a proxy or have getters; what they throw can be anything. */
function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : "unknown";
  } catch {
    return "unknown";
  }
}
