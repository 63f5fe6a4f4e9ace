/** The names of a session, data apart from functions; beside an old snapshot also what became of them. */
import type { SnapshotVariable } from "../../../src/snapshot/content.js";
import { h } from "../dom.js";
import { bytesText, countText } from "../sizes.js";

type Change = "same" | "changed" | "gone" | "new";

interface Entry {
  readonly variable: SnapshotVariable;
  readonly change: Change;
  /** What a changed one is now. */
  readonly now?: SnapshotVariable;
}

export function variableList(
  shown: readonly SnapshotVariable[],
  later: readonly SnapshotVariable[] | undefined,
): HTMLElement {
  const entries = later
    ? compare(shown, later)
    : shown.map((variable): Entry => ({ variable, change: "same" }));
  const isCode = ({ variable }: Entry) => /function|class/i.test(variable.type);
  const data = entries.filter((entry) => !isCode(entry));
  const code = entries.filter(isCode);
  if (entries.length === 0) return h("p", { class: "quiet" }, "Nothing is declared at top level.");
  return h(
    "div",
    { class: "names" },
    ...(data.length === 0
      ? []
      : [h("h3", { class: "label" }, countText(data.length, "variable")), list(data)]),
    ...(code.length === 0
      ? []
      : [h("h3", { class: "label" }, countText(code.length, "function")), list(code)]),
  );
}

function list(entries: readonly Entry[]): HTMLElement {
  return h(
    "ul",
    { class: "variables" },
    ...entries.map(({ variable: { name, type, size, preview }, change, now }) =>
      h(
        "li",
        { class: change },
        h("code", { class: "name" }, name),
        h("span", { class: "quiet" }, type),
        h("span", { class: "quiet size" }, bytesText(size)),
        change === "same" ? null : h("span", { class: "change" }, words[change]),
        h("code", { class: "preview", title: preview }, preview),
        now ? h("code", { class: "preview now", title: now.preview }, `now ${now.preview}`) : null,
      ),
    ),
  );
}

const words: Readonly<Record<Change, string>> = {
  same: "",
  changed: "changed since",
  gone: "gone since",
  new: "came later",
};

function compare(shown: readonly SnapshotVariable[], later: readonly SnapshotVariable[]): Entry[] {
  const then = new Map(shown.map((variable) => [variable.name, variable]));
  const now = new Map(later.map((variable) => [variable.name, variable]));
  const known = shown.map((variable): Entry => {
    const other = now.get(variable.name);
    if (!other) return { variable, change: "gone" };
    const same =
      other.type === variable.type && other.size === variable.size && other.preview === variable.preview;
    return same ? { variable, change: "same" } : { variable, change: "changed", now: other };
  });
  const added = later
    .filter(({ name }) => !then.has(name))
    .map((variable): Entry => ({ variable, change: "new" }));
  return [...known, ...added];
}
