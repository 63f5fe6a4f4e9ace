/** Code with colours. A few token kinds by one expression: it has to take code that is still being written. */
import { h, setText } from "../dom.js";

const TOKENS = new RegExp(
  [
    /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))/,
    /(?<string>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\.)*`?)/,
    /(?<number>\b\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?n?\b)/,
    /(?<tool>\btools\.\w+|\btask(?=\())/,
    /(?<keyword>\b(?:async|await|break|case|catch|class|const|continue|default|delete|do|else|export|extends|finally|for|function|if|import|in|instanceof|interface|let|new|of|return|static|switch|throw|try|type|typeof|var|void|while|yield)\b)/,
    /(?<literal>\b(?:true|false|null|undefined|NaN|Infinity|this)\b)/,
    /(?<call>\b[A-Za-z_$][\w$]*(?=\())/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

/** Lines above which the rest is folded away at first. */
const FOLD = 16;

export class CodeView {
  readonly element: HTMLElement;
  readonly #code = h("code");
  readonly #more = h("button", {
    type: "button",
    class: "fold",
    hidden: true,
    on: { click: () => this.#unfold() },
  });
  readonly #pre: HTMLPreElement;
  #text = "";
  #isWriting = false;
  #unfolded = false;

  constructor(label: string) {
    this.#pre = h("pre", { class: "code", tabindex: "0", "aria-label": label }, this.#code);
    this.element = h("div", { class: "code-view" }, this.#pre, this.#more);
  }

  /** While it is being written its end is what is seen. */
  set(text: string, isWriting: boolean): void {
    if (text === this.#text && isWriting === this.#isWriting) return;
    this.#isWriting = isWriting;
    if (text !== this.#text) this.#code.replaceChildren(highlight(text));
    this.#text = text;
    const lines = text.split("\n").length;
    const folds = lines > FOLD + 2 && !this.#unfolded;
    this.#pre.classList.toggle("folded", folds);
    this.#pre.classList.toggle("tail", isWriting);
    if (folds) this.#pre.scrollTop = isWriting ? this.#pre.scrollHeight : 0;
    this.#more.hidden = !folds;
    setText(this.#more, `Show all ${lines} lines`);
  }

  #unfold(): void {
    this.#unfolded = true;
    this.#pre.classList.remove("folded");
    this.#more.hidden = true;
    this.#pre.focus();
  }
}

export function highlight(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    fragment.append(text.slice(end, match.index));
    const [kind] = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) ?? ["plain"];
    fragment.append(h("span", { class: `tok-${kind}` }, match[0]));
    end = match.index + match[0].length;
  }
  fragment.append(text.slice(end));
  return fragment;
}
