/** What the agent asks for before it goes on: the call, its arguments to change, and the code around it. */
import type { Decision } from "../agent/place.js";
import type { ApprovalRequest, ApprovalView } from "../agent/thread-view.js";
import { ApprovalDraft } from "../approval-drafts.js";
import { button, h, onSubmit } from "../dom.js";
import { highlight } from "./code-view.js";

/** Lines of code shown before and after the call. */
const CONTEXT = 3;

export function approvalForm(
  approval: ApprovalView,
  code: string,
  decide: (decisions: readonly Decision[]) => void,
): HTMLElement {
  const decisions = new Map<number, Decision>();
  const requests = approval.requests.map((request, index) =>
    requestForm(request, code, new ApprovalDraft(approval.id, index), (decision) => {
      decisions.set(index, decision);
      if (decisions.size === approval.requests.length)
        decide(approval.requests.map((_, position) => decisions.get(position)!));
    }),
  );
  return h("section", { class: "approval", "aria-label": "Approval needed" }, ...requests);
}

function requestForm(
  request: ApprovalRequest,
  code: string,
  draft: ApprovalDraft,
  decide: (decision: Decision) => void,
): HTMLElement {
  const { name, args, allowed } = request;
  const fields = Object.entries(args).map(([key, value]) => field(key, value, draft));
  const editable = allowed.includes("edit");
  for (const { input } of fields) input.readOnly = !editable;
  const reason = h("input", { type: "text", autocomplete: "off", placeholder: "Why not (optional)" });
  const problem = h("p", { class: "problem", role: "alert" });
  const done = (decision: Decision) => {
    draft.clear();
    form.inert = true;
    form.classList.add("decided");
    decide(decision);
  };
  const approve = () => {
    try {
      const edited = Object.fromEntries(fields.map(({ key, read }) => [key, read()]));
      const same = JSON.stringify(edited) === JSON.stringify(args);
      done(same ? { type: "approve" } : { type: "edit", editedAction: { name, args: edited } });
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : String(error);
    }
  };
  const reject = () => done({ type: "reject", ...(reason.value ? { message: reason.value } : {}) });
  const form = h(
    "form",
    { on: { submit: onSubmit(approve) } },
    h("h4", {}, "Waits for you: ", h("code", {}, name)),
    around(code, name),
    ...fields.map(({ element }) => element),
    problem,
    h(
      "div",
      { class: "decide" },
      h("button", { type: "submit", class: "button primary" }, "Approve"),
      allowed.includes("reject")
        ? h(
            "div",
            { class: "refuse" },
            h("label", { class: "reason" }, h("span", { class: "visually-hidden" }, "Reason"), reason),
            button("Reject", reject),
          )
        : null,
    ),
  );
  return form;
}

interface Field {
  readonly key: string;
  readonly input: HTMLInputElement | HTMLTextAreaElement;
  readonly element: HTMLElement;
  read(): unknown;
}

/** Texts are edited as they are, everything else as JSON. */
function field(key: string, value: unknown, draft: ApprovalDraft): Field {
  const isText = typeof value === "string";
  const text = isText ? value : JSON.stringify(value, null, 2);
  const lines = text.split("\n").length;
  const input =
    lines > 1 || text.length > 60
      ? h("textarea", { rows: String(Math.min(8, Math.max(2, lines))), spellcheck: "false" })
      : h("input", { type: "text", autocomplete: "off", spellcheck: "false" });
  input.value = draft.get(key) ?? text;
  input.addEventListener("input", () => draft.set(key, input.value));
  const read = () => {
    if (isText) return input.value;
    try {
      return JSON.parse(input.value) as unknown;
    } catch {
      throw new Error(`${key} is not valid JSON.`);
    }
  };
  return {
    key,
    input,
    element: h("label", { class: "field" }, h("span", { class: "label" }, key), input),
    read,
  };
}

function around(code: string, toolName: string): HTMLElement | null {
  const guestName = toolName.replace(/[-_]+([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const lines = code.split("\n");
  const at = lines.findIndex((line) => line.includes(guestName) || line.includes(toolName));
  if (at < 0) return null;
  const from = Math.max(0, at - CONTEXT);
  const shown = lines
    .slice(from, at + CONTEXT + 1)
    .map((line, index) =>
      h("span", { class: from + index === at ? "line here" : "line" }, highlight(line), "\n"),
    );
  return h(
    "pre",
    { class: "code around", tabindex: "0", "aria-label": "The code around the call" },
    ...shown,
  );
}
