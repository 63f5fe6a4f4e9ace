/**
 * The part of Vega-Lite this page draws: one mark, inline values, x, y and color. Vega itself would weigh as much as the
 * agent and turns expressions into code, which the page's security policy forbids.
 */

export type Mark = "bar" | "line" | "area" | "point";
export type FieldType = "quantitative" | "nominal" | "ordinal" | "temporal";

export interface Channel {
  readonly field: string;
  readonly type: FieldType;
  readonly title: string;
}

export interface ChartSpec {
  readonly title: string;
  readonly mark: Mark;
  readonly values: readonly Readonly<Record<string, unknown>>[];
  readonly x: Channel;
  readonly y: Channel;
  readonly color: Channel | undefined;
}

const marks: Readonly<Record<string, Mark>> = {
  bar: "bar",
  line: "line",
  area: "area",
  point: "point",
  circle: "point",
  square: "point",
  tick: "point",
};

/** More marks than this help nobody and cost the page its frame rate. */
const MAX_VALUES = 5000;

/** Undefined for what is no such specification. */
export function parseSpec(value: unknown): ChartSpec | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { mark, data, encoding, title } = value as Record<string, unknown>;
  const kind = marks[String(typeof mark === "object" && mark ? (mark as { type?: unknown }).type : mark)];
  const values = Array.isArray(data) ? data : (data as { values?: unknown } | null | undefined)?.values;
  if (!kind || !Array.isArray(values) || values.length === 0) return undefined;
  const rows = values
    .slice(0, MAX_VALUES)
    .filter((row) => typeof row === "object" && row !== null) as ChartSpec["values"];
  const channels = (encoding ?? {}) as Record<string, unknown>;
  const x = toChannel(channels["x"], rows);
  const y = toChannel(channels["y"], rows);
  if (!x || !y) return undefined;
  return {
    title: titleText(title),
    mark: kind,
    values: rows,
    x,
    y,
    color: toChannel(channels["color"], rows),
  };
}

function toChannel(value: unknown, rows: ChartSpec["values"]): Channel | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { field, type, title } = value as Record<string, unknown>;
  if (typeof field !== "string") return undefined;
  const known = ["quantitative", "nominal", "ordinal", "temporal"].includes(String(type));
  const guessed = rows.every((row) => row[field] == null || typeof row[field] === "number")
    ? "quantitative"
    : "nominal";
  return {
    field,
    type: known ? (type as FieldType) : guessed,
    title: typeof title === "string" ? title : field,
  };
}

function titleText(title: unknown): string {
  if (typeof title === "string") return title;
  const text = (title as { text?: unknown } | null | undefined)?.text;
  return typeof text === "string" ? text : "";
}
