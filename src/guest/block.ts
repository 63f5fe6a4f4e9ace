/**
 * The layout of one bracketed list: on one line where that fits, short items packed into rows, otherwise one item a
 * line. All three forms grow as items arrive, because the prelude keeps no arrays of guest text.
 */
import { StringRepeat } from "./primordials.js";
import { hasLineBreak } from "./quote.js";

const LINE_WIDTH = 100;
const ROW_WIDTH = 80;
const PACKED_ITEM_WIDTH = 16;
const PACKED_MINIMUM = 7;

export interface Block {
  readonly pad: string;
  count: number;
  /** Undefined once it does not fit. */
  line: string | undefined;
  rows: string | undefined;
  rowWidth: number;
  column: string;
}

export function openBlock(indent: number, packable: boolean): Block {
  return {
    pad: StringRepeat(" ", indent + 2),
    count: 0,
    line: "",
    rows: packable ? "" : undefined,
    rowWidth: 0,
    column: "",
  };
}

export function addItem(block: Block, text: string): void {
  const flat = !hasLineBreak(text);
  const first = block.count === 0;
  if (block.line !== undefined) {
    if (flat) block.line += first ? text : `, ${text}`;
    if (!flat || block.pad.length - 2 + block.line.length > LINE_WIDTH - 4) block.line = undefined;
  }
  if (block.rows !== undefined) {
    if (!flat || text.length > PACKED_ITEM_WIDTH) block.rows = undefined;
    else if (first || block.rowWidth + text.length + 2 > ROW_WIDTH) {
      block.rows += `${first ? "" : ","}\n${block.pad}${text}`;
      block.rowWidth = block.pad.length + text.length;
    } else {
      block.rows += `, ${text}`;
      block.rowWidth += text.length + 2;
    }
  }
  block.column += `${first ? "" : ","}\n${block.pad}${text}`;
  block.count++;
}

/** A closing remark such as `... 5 more items`; it always has a line of its own when the list is not on one line. */
export function addRemark(block: Block, text: string): void {
  const first = block.count === 0;
  if (block.line !== undefined) block.line += first ? text : `, ${text}`;
  const own = `${first ? "" : ","}\n${block.pad}${text}`;
  if (block.rows !== undefined) block.rows += own;
  block.column += own;
  block.count++;
}

export function closeBlock(block: Block, indent: number, open: string, close: string): string {
  if (block.count === 0) return open + close;
  if (block.line !== undefined) {
    const line = `${open}${block.line}${close}`;
    if (indent + line.length <= LINE_WIDTH) return line;
  }
  const body = block.rows !== undefined && block.count >= PACKED_MINIMUM ? block.rows : block.column;
  return `${open}${body}\n${StringRepeat(" ", indent)}${close}`;
}
