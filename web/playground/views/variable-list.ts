/** The names of a session, data apart from functions; beside an old snapshot also what became of them. */
import type { SnapshotVariable } from "../../../src/snapshot/container.js";
import { h } from "../dom.js";
import { bytesText, countText } from "../sizes.js";

type Change = "same" | "changed" | "gone" | "new";

interface Entry {
  readonly variable: SnapshotVariable;
  readonly change: Change;
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
  return h(
    "div",
    {},
    h("h3", { class: "label" }, countText(data.length, "variable")),
    data.length === 0
      ? h("p", { class: "quiet" }, "What code declares at top level stays here.")
      : list(data),
    h("h3", { class: "label" }, countText(code.length, "function")),
    code.length === 0 ? h("p", { class: "quiet" }, "Functions and classes stay callable.") : list(code),
  );
}

function list(entries: readonly Entry[]): HTMLElement {
  return h(
    "ul",
    { class: "variables" },
    ...entries.map(({ variable: { name, type, size, preview }, change }) =>
      h(
        "li",
        { class: change },
        h("code", { class: "name" }, name),
        h("span", { class: "quiet" }, type),
        h("span", { class: "quiet size" }, bytesText(size)),
        change === "same" ? null : h("span", { class: "change" }, words[change]),
        h("code", { class: "preview" }, preview),
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
    return { variable, change: same ? "same" : "changed" };
  });
  const added = later
    .filter(({ name }) => !then.has(name))
    .map((variable): Entry => ({ variable, change: "new" }));
  return [...known, ...added];
}
