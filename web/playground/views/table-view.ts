/** Rows as a table; numbers of a column also as bars, which makes a ranking visible at a glance. */
import { h } from "../dom.js";
import type { Cell, Table } from "../result-value.js";
import { countText } from "../sizes.js";

const MAX_ROWS = 50;

export function tableView({ title, columns, rows }: Table): HTMLElement {
  const scales = columns.map((column) => scaleOf(rows.map((row) => row[column])));
  const head = h(
    "tr",
    {},
    ...columns.map((column, index) =>
      h("th", { scope: "col", class: scales[index] ? "number" : "" }, ...breakable(column)),
    ),
  );
  const body = rows
    .slice(0, MAX_ROWS)
    .map((row) => h("tr", {}, ...columns.map((column, index) => cell(row[column], scales[index]))));
  const more = rows.length > MAX_ROWS ? `The first ${MAX_ROWS} of ${countText(rows.length, "row")}.` : "";
  const table = h(
    "table",
    {},
    title ? h("caption", {}, title) : null,
    h("thead", {}, head),
    h("tbody", {}, ...body),
  );
  const label = title || "Result as a table";
  return h(
    "div",
    { class: "table-box", tabindex: "0", role: "region", "aria-label": label },
    table,
    more ? h("p", { class: "quiet" }, more) : null,
  );
}

/** A name that may be broken between its words where there is no room. */
function breakable(name: string): (Node | string)[] {
  return name
    .split(/(?<=[a-z])(?=[A-Z])|(?<=_)/)
    .flatMap((word, index) => (index === 0 ? [word] : [h("wbr"), word]));
}

/** The largest number, where all are numbers, none negative and not all the same. */
function scaleOf(cells: readonly (Cell | undefined)[]): { max: number; bars: boolean } | undefined {
  const numbers = cells.filter((value): value is number => typeof value === "number");
  if (numbers.length === 0 || numbers.length < cells.filter((value) => value != null).length)
    return undefined;
  const max = Math.max(...numbers);
  const min = Math.min(...numbers);
  // A year is not an amount: bars from zero would all look alike.
  return { max, bars: min >= 0 && max > 0 && min < max * 0.9 };
}

function cell(value: Cell | undefined, scale: { max: number; bars: boolean } | undefined): HTMLElement {
  if (typeof value !== "number" || !scale)
    return h("td", {}, value === null || value === undefined ? "" : String(value));
  const element = h(
    "td",
    { class: scale.bars ? "number barred" : "number" },
    value.toLocaleString("en", { useGrouping: Math.abs(value) >= 10_000 }),
  );
  if (scale.bars) element.style.setProperty("--share", String(value / scale.max));
  return element;
}
