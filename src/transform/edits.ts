/** Small replacements in a source text, and the way back from a place in the result to the text they were made in. */
export interface Edited {
  readonly code: string;
  /** Offset in `code` to offset in the source. Inserted text maps to the place it was inserted at. */
  toSource(offset: number): number;
  /** Whether the offset is in text that nobody should hear of. */
  isHidden(offset: number): boolean;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isHidden?: boolean;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Line breaks of a text that is replaced: kept, so that no line below it moves. */
export function lineBreaks(text: string): string {
  return text.replace(/[^\n]+/g, "");
}

export class Edits {
  readonly #edits: Edit[] = [];
  readonly #moved: Range[] = [];

  get isEmpty(): boolean {
    return this.#edits.length === 0;
  }

  /** Edits at one place are applied in the order in which they were made; none may overlap another. */
  replace(start: number, end: number, text: string): void {
    this.#edits.push({ start, end, text });
  }

  insert(at: number, text: string): void {
    this.#edits.push({ start: at, end: at, text });
  }

  insertHidden(at: number, text: string): void {
    this.#edits.push({ start: at, end: at, text, isHidden: true });
  }

  /** In front of everything that was inserted at the start so far. */
  prepend(text: string): void {
    this.#edits.unshift({ start: 0, end: 0, text });
  }

  /** Puts the text of a range behind everything else, edited like the rest; its line breaks stay where they were. */
  moveToEnd(source: string, start: number, end: number): void {
    this.#moved.push({ start, end });
    this.#edits.push({ start, end, text: lineBreaks(source.slice(start, end)) });
  }

  apply(source: string): Edited {
    if (this.isEmpty) return { code: source, toSource: (offset) => offset, isHidden: () => false };
    // What is inserted at the very start or end of the range stays behind.
    const isInside = (edit: Edit, range: Range) => edit.start > range.start && edit.end < range.end;
    const output = new Output(source);
    const own = this.#edits.filter((edit) => !this.#moved.some((range) => isInside(edit, range)));
    output.write(0, source.length, own);
    for (const range of this.#moved) {
      output.insert("\n", range.start);
      output.write(
        range.start,
        range.end,
        this.#edits.filter((edit) => isInside(edit, range)),
      );
    }
    return {
      code: output.code,
      toSource: (offset) => output.toSource(offset),
      isHidden: (offset) => output.pieceAt(offset)?.isHidden === true,
    };
  }
}

interface Piece {
  readonly at: number;
  readonly source: number;
  readonly verbatim: boolean;
  readonly isHidden?: boolean;
}

class Output {
  code = "";
  readonly #source: string;
  readonly #pieces: Piece[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  write(start: number, end: number, edits: readonly Edit[]): void {
    let position = start;
    for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
      this.#copy(position, edit.start);
      this.insert(edit.text, edit.start, edit.isHidden);
      position = Math.max(position, edit.end);
    }
    this.#copy(position, end);
  }

  insert(text: string, source: number, isHidden = false): void {
    this.#pieces.push({ at: this.code.length, source, verbatim: false, isHidden });
    this.code += text;
  }

  #copy(start: number, end: number): void {
    this.#pieces.push({ at: this.code.length, source: start, verbatim: true });
    this.code += this.#source.slice(start, end);
  }

  pieceAt(offset: number): Piece | undefined {
    return this.#pieces.findLast((candidate) => candidate.at <= offset);
  }

  toSource(offset: number): number {
    const piece = this.pieceAt(offset);
    if (piece === undefined) return offset;
    return piece.verbatim ? piece.source + offset - piece.at : piece.source;
  }
}
