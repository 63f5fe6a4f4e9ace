/** From data to places: numbers and dates on a line, names in bands. */
import type { Channel, ChartSpec } from "./spec.js";

export interface Scale {
  readonly kind: "line" | "bands";
  place(value: unknown): number | undefined;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
  /** Width of a band; 0 on a line. */
  readonly band: number;
}

export function createScale(
  spec: ChartSpec,
  channel: Channel,
  [from, to]: readonly [number, number],
  ticks: number,
): Scale {
  const values = spec.values.map((row) => row[channel.field]);
  if (channel.type === "temporal") {
    const times = values.map((value) => Date.parse(String(value))).filter(Number.isFinite);
    return lineScale(
      [Math.min(...times), Math.max(...times)],
      from,
      to,
      ticks,
      (value) => Date.parse(String(value)),
      dateText,
    );
  }
  if (channel.type === "quantitative") {
    const numbers = values.filter(
      (value): value is number => typeof value === "number" && Number.isFinite(value),
    );
    const isMeasured = channel === spec.y || spec.x.type !== "quantitative" || spec.mark === "point";
    const fromZero = spec.mark !== "point" && spec.mark !== "line" && isMeasured;
    const low = Math.min(...numbers, ...(fromZero ? [0] : []));
    const high = Math.max(...numbers, ...(fromZero ? [0] : []));
    return lineScale(
      [low, high],
      from,
      to,
      ticks,
      (value) => (typeof value === "number" ? value : Number.NaN),
      numberText,
    );
  }
  return bandScale(values, from, to);
}

function lineScale(
  [low, high]: [number, number],
  from: number,
  to: number,
  count: number,
  read: (value: unknown) => number,
  text: (value: number, step: number) => string,
): Scale {
  const step = niceStep((high - low || Math.abs(high) || 1) / count);
  const start = Math.floor(low / step) * step;
  const end = Math.max(Math.ceil(high / step) * step, start + step);
  const place = (value: unknown) => {
    const share = (read(value) - start) / (end - start);
    return Number.isFinite(share) ? from + share * (to - from) : undefined;
  };
  const marks = Array.from(
    { length: Math.round((end - start) / step) + 1 },
    (_, index) => start + index * step,
  );
  const ticks = marks.map((value) => ({
    at: from + ((value - start) / (end - start)) * (to - from),
    text: text(value, step),
  }));
  return { kind: "line", place, ticks, band: 0 };
}

function bandScale(values: readonly unknown[], from: number, to: number): Scale {
  const names = [...new Set(values.map(String))];
  const band = Math.abs(to - from) / Math.max(1, names.length);
  const direction = Math.sign(to - from);
  const center = (index: number) => from + direction * band * (index + 0.5);
  const place = (value: unknown) => {
    const index = names.indexOf(String(value));
    return index < 0 ? undefined : center(index);
  };
  const every = Math.ceil(names.length / 24);
  const ticks = names.flatMap((text, index) => (index % every === 0 ? [{ at: center(index), text }] : []));
  return { kind: "bands", place, ticks, band };
}

/** 1, 2 or 5 times a power of ten. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough) ?? 10;
  return factor * power;
}

function numberText(value: number): string {
  const rounded = Number(value.toPrecision(6));
  if (Math.abs(rounded) >= 1e6) return `${Number((rounded / 1e6).toPrecision(4))}M`;
  return Math.abs(rounded) >= 10_000 ? `${Number((rounded / 1e3).toPrecision(4))}k` : String(rounded);
}

function dateText(value: number, step: number): string {
  const iso = new Date(value).toISOString();
  return step > 25 * 86_400_000 ? iso.slice(0, 7) : iso.slice(0, 10);
}
