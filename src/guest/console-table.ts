/** `console.table`: rows and columns of data properties. */
import { kindOf, ownData } from "./brands.js";
import { forEachEntry, forEachMember } from "./collections.js";
import {
  ArrayIsArray,
  MapGet,
  MapSet,
  MathMax,
  NativeMap,
  ObjectGetOwnPropertyDescriptor,
  ObjectHasOwn,
  ObjectSetPrototypeOf,
  ReflectOwnKeys,
  StringPadEnd,
  StringRepeat,
} from "./primordials.js";
import { isProxy } from "./proxies.js";
import { oneLine } from "./quote.js";
import { render } from "./render.js";

const MAX_ROWS = 100;
const MAX_COLUMNS = 20;
const MAX_CELL = 60;

/** An array without a prototype: no index setter of the guest's is between us and its elements. */
type List<T> = { [index: number]: T; length: number };

function newList<T>(): List<T> {
  const list: T[] = [];
  ObjectSetPrototypeOf(list, null);
  return list;
}

function append<T>(list: List<T>, item: T): void {
  list[list.length] = item;
}

interface Table {
  readonly index: string;
  readonly columns: List<string>;
  readonly positions: Map<string, number>;
  readonly rows: List<List<string>>;
  /** Text of the `Values` column, per row. */
  readonly values: List<string>;
  hasValues: boolean;
  left: number;
  leftColumns: boolean;
}

/** Undefined when the value is not a collection of anything. */
export function tableText(data: unknown, only: unknown): string | undefined {
  if (typeof data !== "object" || data === null || isProxy(data)) return undefined;
  const kind = kindOf(data);
  const table: Table = {
    index: kind === "map" || kind === "set" ? "(iteration index)" : "(index)",
    columns: newList(),
    positions: new NativeMap(),
    rows: newList(),
    values: newList(),
    hasValues: false,
    left: 0,
    leftColumns: false,
  };
  const fixed = ArrayIsArray(only) && !isProxy(only);
  if (fixed)
    for (let i = 0; i < only.length; i++) {
      const name = ownData(only, i);
      if (typeof name === "string") columnOf(table, name);
    }
  if (kind === "map") addMap(table, data, fixed);
  else if (kind === "set") addSet(table, data, fixed);
  else addObject(table, data, fixed);
  return draw(table);
}

function addMap(table: Table, data: object, fixed: boolean): void {
  let i = 0;
  forEachEntry(data, (key, value) => {
    addRow(table, `${i++}`, value, fixed, cell(key));
    return true;
  });
}

function addSet(table: Table, data: object, fixed: boolean): void {
  let i = 0;
  forEachMember(data, (value) => {
    addRow(table, `${i++}`, value, fixed);
    return true;
  });
}

function addObject(table: Table, data: object, fixed: boolean): void {
  const keys = ReflectOwnKeys(data);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (typeof key !== "string") continue;
    const descriptor = ObjectGetOwnPropertyDescriptor(data, key);
    if (descriptor?.enumerable !== true) continue;
    addRow(table, oneLine(key, MAX_CELL), dataOf(descriptor), fixed);
  }
}

const accessor = { accessor: true };

function dataOf(descriptor: PropertyDescriptor): unknown {
  return ObjectHasOwn(descriptor, "value") ? descriptor.value : accessor;
}

function addRow(table: Table, label: string, value: unknown, fixed: boolean, key?: string): void {
  if (table.rows.length >= MAX_ROWS) {
    table.left++;
    return;
  }
  const row = newList<string>();
  append(row, label);
  append(table.rows, row);
  append(table.values, "");
  if (key !== undefined) row[columnOf(table, "Key")] = key;
  const kind = typeof value === "object" && value !== null && value !== accessor ? kindOf(value) : "plain";
  const tabular =
    typeof value === "object" &&
    value !== null &&
    value !== accessor &&
    !isOneCell(kind) &&
    key === undefined;
  if (!tabular) {
    table.values[table.rows.length - 1] = cell(value);
    table.hasValues = true;
    return;
  }
  const keys = ReflectOwnKeys(value);
  for (let i = 0; i < keys.length; i++) {
    const name = keys[i];
    if (typeof name !== "string") continue;
    const descriptor = ObjectGetOwnPropertyDescriptor(value, name);
    if (descriptor?.enumerable !== true) continue;
    if (MapGet(table.positions, name) === undefined && (fixed || table.columns.length >= MAX_COLUMNS)) {
      table.leftColumns = !fixed;
      continue;
    }
    row[columnOf(table, name)] = cell(dataOf(descriptor));
  }
}

function isOneCell(kind: string): boolean {
  return kind !== "plain" && kind !== "array" && kind !== "instance" && kind !== "null-prototype";
}

function columnOf(table: Table, name: string): number {
  const known = MapGet(table.positions, name);
  if (known !== undefined) return known;
  append(table.columns, oneLine(name, MAX_CELL));
  MapSet(table.positions, name, table.columns.length);
  return table.columns.length;
}

function cell(value: unknown): string {
  if (value === accessor) return "[Getter]";
  return oneLine(render(value, { maxChars: MAX_CELL }), MAX_CELL);
}

function draw(table: Table): string {
  const { rows, columns, values, hasValues } = table;
  const titles = newList<string>();
  append(titles, table.index);
  for (let c = 0; c < columns.length; c++) append(titles, columns[c] as string);
  if (hasValues) append(titles, "Values");
  const widths = newList<number>();
  for (let c = 0; c < titles.length; c++) {
    let width = (titles[c] as string).length;
    for (let r = 0; r < rows.length; r++) width = MathMax(width, at(table, r, c, titles.length).length);
    append(widths, width);
  }
  let text = `${rule(widths, "┌", "┬", "┐")}\n${line(widths, (c) => titles[c] as string)}\n${rule(widths, "├", "┼", "┤")}\n`;
  for (let r = 0; r < rows.length; r++) text += `${line(widths, (c) => at(table, r, c, titles.length))}\n`;
  text += rule(widths, "└", "┴", "┘");
  if (table.left > 0) text += `\n... ${table.left} more rows`;
  if (table.leftColumns) text += `\n... more than ${MAX_COLUMNS} columns`;
  return text;

  function at(from: Table, r: number, c: number, count: number): string {
    if (hasValues && c === count - 1) return values[r] as string;
    const row = from.rows[r] as List<string>;
    return c < row.length ? (row[c] ?? "") : "";
  }
}

function rule(widths: List<number>, left: string, middle: string, right: string): string {
  let text = left;
  for (let c = 0; c < widths.length; c++)
    text += (c === 0 ? "" : middle) + StringRepeat("─", (widths[c] as number) + 2);
  return text + right;
}

function line(widths: List<number>, cellAt: (column: number) => string): string {
  let text = "│";
  for (let c = 0; c < widths.length; c++) text += ` ${StringPadEnd(cellAt(c), widths[c] as number)} │`;
  return text;
}
