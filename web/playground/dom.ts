/** Makes elements. Text is always text: nothing here takes markup. */

export type Child = Node | string | number | null | undefined | false;

export interface ElementProperties {
  readonly class?: string;
  readonly on?: Readonly<Record<string, (event: Event) => void>>;
  /** Everything else is an attribute; `true` is an empty one, `false` and undefined leave it out. */
  readonly [attribute: string]: unknown;
}

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: ElementProperties = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value as Record<string, (event: Event) => void>))
        element.addEventListener(event, listener);
    } else if (name === "class") element.className = String(value);
    else if (value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

export function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.appendChild(typeof child === "object" ? child : document.createTextNode(String(child)));
  }
}

export function button(
  label: string,
  onClick: () => void,
  properties: ElementProperties = {},
): HTMLButtonElement {
  return h("button", { type: "button", class: "button", on: { click: onClick }, ...properties }, label);
}

/** For forms that the page answers itself. */
export function onSubmit(submit: () => void): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    submit();
  };
}

/** Sets a text only when it differs, so that nothing is laid out or announced again. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function show(element: HTMLElement, visible: boolean): void {
  if (element.hidden === visible) element.hidden = !visible;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  append(element, children);
  return element;
}
