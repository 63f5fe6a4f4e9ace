/** A specification as SVG, in the page's own colours. */
import { h, svg } from "../dom.js";
import { createScale, type Scale } from "./scales.js";
import type { ChartSpec } from "./spec.js";

const MAX_WIDTH = 640;
const MIN_WIDTH = 260;
const HEIGHT = 320;
const EDGE = { top: 12, right: 14, bottom: 44 };
/** Room of one character of a tick. */
const CHARACTER = 6.6;
/** As many as `style.css` has colours for. */
const COLORS = 7;

/** `room` in pixels: on a narrow screen the picture is drawn narrower, not its letters smaller. */
export function chartView(spec: ChartSpec, room: number = innerWidth - 64): HTMLElement {
  const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, room));
  const groups = [...new Set(spec.values.map((row) => (spec.color ? String(row[spec.color.field]) : "")))];
  const colorOf = (row: ChartSpec["values"][number]) =>
    `series-${groups.indexOf(spec.color ? String(row[spec.color.field]) : "") % COLORS}`;
  const bottom = HEIGHT - EDGE.bottom;
  const draft = createScale(spec, spec.y, [bottom, EDGE.top], 5);
  const longest = Math.max(...draft.ticks.map(({ text }) => Math.min(text.length, 20)));
  const left = 30 + longest * CHARACTER;
  const x = createScale(spec, spec.x, [left, width - EDGE.right], Math.ceil(width / 110));
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": describeChart(spec) },
    ...draft.ticks.map(({ at, text }) =>
      svg(
        "g",
        { class: "axis" },
        draft.kind === "line" &&
          svg("line", { x1: left, x2: width - EDGE.right, y1: at, y2: at, class: "grid" }),
        svg("text", { x: left - 8, y: at + 4, "text-anchor": "end" }, shorten(text, 20)),
      ),
    ),
    ...bottomAxis(x, bottom),
    svg(
      "text",
      { x: (left + width - EDGE.right) / 2, y: HEIGHT - 6, "text-anchor": "middle", class: "axis-title" },
      spec.x.title,
    ),
    svg(
      "text",
      {
        transform: `translate(12 ${(bottom + EDGE.top) / 2}) rotate(-90)`,
        "text-anchor": "middle",
        class: "axis-title",
      },
      spec.y.title,
    ),
    ...marksOf(spec, x, draft, left, bottom, groups, colorOf),
  );
  const legend =
    groups.length > 1
      ? h(
          "ul",
          { class: "legend" },
          ...groups.slice(0, 12).map((name, index) => h("li", { class: `series-${index % COLORS}` }, name)),
        )
      : null;
  return h(
    "figure",
    { class: "chart" },
    spec.title ? h("figcaption", {}, spec.title) : null,
    legend,
    picture,
  );
}

function bottomAxis(x: Scale, bottom: number): SVGElement[] {
  const room = x.kind === "bands" ? Math.max(3, Math.floor(x.band / CHARACTER)) : 10;
  return x.ticks.map(({ at, text }) =>
    svg(
      "g",
      { class: "axis" },
      svg("text", { x: at, y: bottom + 16, "text-anchor": "middle" }, shorten(text, room)),
    ),
  );
}

function marksOf(
  spec: ChartSpec,
  x: Scale,
  y: Scale,
  left: number,
  bottom: number,
  groups: readonly string[],
  colorOf: (row: ChartSpec["values"][number]) => string,
): SVGElement[] {
  const points = spec.values.flatMap((row) => {
    const at = { x: x.place(row[spec.x.field]), y: y.place(row[spec.y.field]) };
    return at.x === undefined || at.y === undefined ? [] : [{ x: at.x, y: at.y, color: colorOf(row) }];
  });
  if (spec.mark === "point")
    return points.map((p) => svg("circle", { cx: p.x, cy: p.y, r: 3.2, class: `mark-point ${p.color}` }));
  if (spec.mark === "bar") {
    return points.map((p) => {
      if (y.kind === "bands")
        return svg("rect", {
          x: left,
          y: p.y - y.band * 0.38,
          width: Math.max(0, p.x - left),
          height: y.band * 0.76,
          class: `fill ${p.color}`,
        });
      const width = (x.band || 12) * 0.76;
      return svg("rect", {
        x: p.x - width / 2,
        y: p.y,
        width,
        height: Math.max(0, bottom - p.y),
        class: `fill ${p.color}`,
      });
    });
  }
  return groups.flatMap((_, index) => {
    const color = `series-${index % COLORS}`;
    const own = points.filter((point) => point.color === color).sort((a, b) => a.x - b.x);
    if (own.length === 0) return [];
    const line = own.map((p) => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join("L");
    if (spec.mark === "line") return [svg("path", { d: `M${line}`, class: `stroke ${color}` })];
    return [
      svg("path", {
        d: `M${own[0]!.x} ${bottom}L${line}L${own.at(-1)!.x} ${bottom}Z`,
        class: `area ${color}`,
      }),
    ];
  });
}

function describeChart({ mark, title, x, y, values, color }: ChartSpec): string {
  const by = color ? ` by ${color.title}` : "";
  return `${title || "Chart"}: ${mark} chart of ${y.title} against ${x.title}${by}, ${values.length} values`;
}

const shorten = (text: string, room: number) => (text.length > room ? `${text.slice(0, room - 1)}…` : text);
