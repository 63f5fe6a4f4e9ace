/** The snapshots of a thread as points on a line, oldest first; the size of a point follows the size of its snapshot. */
import type { SnapshotPoint } from "../agent/place.js";
import { h } from "../dom.js";
import { bytesText } from "../sizes.js";

export function historyLine(
  points: readonly SnapshotPoint[],
  selected: SnapshotPoint | undefined,
  choose: (point: SnapshotPoint) => void,
): HTMLElement {
  if (points.length === 0) return h("p", { class: "quiet" }, "One is kept after each program.");
  const largest = Math.max(...points.map(({ bytes }) => bytes));
  const items = points.map((point) => {
    const { version } = point.interpreter;
    const time = point.createdAt ? `, ${new Date(point.createdAt).toLocaleTimeString()}` : "";
    const text = `Version ${version}, ${bytesText(point.bytes)}${time}`;
    const dot = h("span", { class: "dot", "aria-hidden": "true" });
    dot.style.setProperty("--weight", String(Math.sqrt(point.bytes / largest)));
    const pressed = String(point === selected);
    const properties = {
      type: "button",
      class: "point",
      "aria-pressed": pressed,
      "aria-label": text,
      title: text,
      on: { click: () => choose(point) },
    };
    return h(
      "li",
      {},
      h("button", properties, dot, h("span", { class: "quiet", "aria-hidden": "true" }, version)),
    );
  });
  const list = h("ol", { class: "history" }, ...items);
  requestAnimationFrame(() => {
    list.scrollLeft = list.scrollWidth;
  });
  return list;
}
