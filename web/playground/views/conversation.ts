/** The conversation. Messages only ever come at its end, so each has its place and is updated there. */

import { type MessageView, openCalls } from "../agent/thread-view.js";
import type { App } from "../app.js";
import { CELL_PREFIX } from "../cell-prefix.js";
import { h } from "../dom.js";
import { EvalCard } from "./eval-card.js";
import { prose } from "./prose.js";

interface Place {
  readonly element: HTMLElement;
  readonly text: HTMLElement;
  readonly cards: Map<number, EvalCard>;
  shown: string;
}

/** Distance from the end, in pixels, within which new content is followed. */
const NEAR = 80;

export class Conversation {
  readonly element: HTMLElement;
  readonly #app: App;
  readonly #list = h("ol", { class: "messages" });
  readonly #start: HTMLElement;
  #places: Place[] = [];
  #threadId = "";
  #frame = 0;
  #asked = 0;

  constructor(app: App, start: HTMLElement) {
    this.#app = app;
    this.#start = start;
    // A screen reader reads what has come once the run is over, not every word while it is written.
    const live = { role: "log", "aria-live": "polite", "aria-label": "Messages" };
    this.element = h("div", { class: "conversation", tabindex: "-1", ...live }, start, this.#list);
    app.addEventListener("status", () => this.element.setAttribute("aria-busy", String(app.isRunning)));
    for (const type of ["thread", "progress", "status"]) app.addEventListener(type, () => this.#schedule());
    // Times of what runs; nothing moves by it.
    setInterval(() => {
      if (app.isRunning || app.status.kind === "elsewhere") this.#schedule();
    }, 250);
  }

  /** Shows the end, where what was just asked is answered. */
  #toEnd(): void {
    this.element.scrollTop = this.element.scrollHeight;
  }

  #schedule(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#update();
    });
  }

  #update(): void {
    const { thread, pending, address } = this.#app;
    if (address.threadId !== this.#threadId) {
      this.#threadId = address.threadId;
      this.#places = [];
      this.#list.replaceChildren();
    }
    const messages = pending ? [...thread.messages, pending.view] : thread.messages;
    this.#start.hidden = messages.length > 0 || this.#app.status.kind === "loading";
    const follows = this.element.scrollHeight - this.element.scrollTop - this.element.clientHeight < NEAR;
    let evals = 0;
    for (const [index, message] of messages.entries()) {
      this.#places[index] ??= this.#add();
      this.#draw(
        this.#places[index],
        message,
        evals,
        pending !== undefined && index === thread.messages.length,
      );
      evals += message.calls.filter(({ id }) => !id.startsWith(CELL_PREFIX)).length;
    }
    for (const place of this.#places.splice(messages.length)) place.element.remove();
    if (follows || this.#app.asked !== this.#asked) this.#toEnd();
    this.#asked = this.#app.asked;
  }

  #add(): Place {
    const text = h("div", { class: "prose" });
    const element = h("li", {}, text);
    this.#list.append(element);
    return { element, text, cards: new Map(), shown: "" };
  }

  #draw(place: Place, message: MessageView, evals: number, isPending: boolean): void {
    const { kind, text, calls, id } = message;
    const isNote = kind === "human" && id.startsWith(CELL_PREFIX);
    place.element.dataset["kind"] = kind;
    // Results are in their program's card.
    place.element.hidden = kind === "tool" || isNote;
    if (place.shown !== text) {
      place.shown = text;
      place.text.replaceChildren(...(kind === "human" ? [h("p", {}, text)] : prose(text)));
    }
    place.text.hidden = text === "";
    for (const [index, call] of calls.entries()) {
      const card = place.cards.get(index) ?? this.#addCard(place, index);
      card.update(this.#cardState(call.id, String(call.args["code"] ?? ""), evals + index + 1, isPending));
    }
  }

  #addCard(place: Place, index: number): EvalCard {
    const card = new EvalCard({
      stop: () => this.#app.stop(),
      decide: (approval, decisions) => void this.#app.decide(new Map([[approval.id, decisions]])),
    });
    place.cards.set(index, card);
    place.element.append(card.element);
    return card;
  }

  #cardState(id: string, code: string, number: number, isWriting: boolean) {
    const { thread, activity, status } = this.#app;
    const isElsewhere = status.kind === "elsewhere";
    const isRunning = this.#app.isRunning || isElsewhere;
    const result = thread.messages.find((message) => message.kind === "tool" && message.answers === id);
    const open = openCalls(thread);
    const position = open.findIndex((call) => call.id === id);
    const approval = result ? undefined : thread.approvals[Math.min(position, thread.approvals.length - 1)];
    const runs = isRunning && !isWriting && !result && position >= 0;
    if (runs) activity.begin(id);
    return {
      id,
      code,
      number,
      isWriting,
      isRunning: runs,
      isElsewhere: runs && isElsewhere,
      elapsed: activity.elapsed(id),
      activity: activity.get(id),
      result,
      approval: position >= 0 ? approval : undefined,
    };
  }
}
