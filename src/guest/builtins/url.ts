/** `URL`: the host parses, by the same standard; the guest keeps the components. */

import { askHost } from "../host.js";
import { JSONParse, JSONStringify, NativeString, NativeTypeError, StringSlice } from "../primordials.js";
import { defineClass, requireArguments } from "./define.js";
import { StringToWellFormed } from "./intrinsics.js";
import { showInstances } from "./shown.js";
import { GuestURLSearchParams, onChange, setQuery } from "./url-search-params.js";

interface Components {
  readonly href: string;
  readonly origin: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

const usv = (value: unknown) => StringToWellFormed(NativeString(value));
const ask = (request: { url: string; base?: string; set?: string; value?: string }) =>
  JSONParse(askHost("url", JSONStringify(request))) as Components | null;
const parse = (url: unknown, base: unknown) =>
  ask(base === undefined ? { url: usv(url) } : { url: usv(url), base: usv(base) });

const token = {};

class GuestURL {
  #parts: Components;
  #params: GuestURLSearchParams | undefined;

  constructor(url: unknown, base?: unknown) {
    requireArguments("URL", arguments.length, 1);
    const parts = base === token ? (url as Components) : parse(url, base);
    if (parts === null)
      throw new NativeTypeError(
        `Invalid URL: ${JSONStringify(NativeString(url))}${base === undefined ? "" : ` with base ${JSONStringify(NativeString(base))}`}`,
      );
    this.#parts = parts;
  }

  static canParse(url: unknown, base?: unknown): boolean {
    requireArguments("URL.canParse", arguments.length, 1);
    return parse(url, base) !== null;
  }

  static parse(url: unknown, base?: unknown): GuestURL | null {
    requireArguments("URL.parse", arguments.length, 1);
    const parts = parse(url, base);
    return parts === null ? null : new GuestURL(parts, token);
  }

  #set(name: string, value: unknown): void {
    const parts = ask({ url: this.#parts.href, set: name, value: usv(value) });
    if (parts === null) throw new NativeTypeError(`Invalid URL: ${JSONStringify(NativeString(value))}`);
    this.#parts = parts;
    if (this.#params !== undefined && (name === "search" || name === "href"))
      setQuery(this.#params, StringSlice(parts.search, 1));
  }

  get searchParams(): GuestURLSearchParams {
    if (this.#params === undefined) {
      this.#params = new GuestURLSearchParams(this.#parts.search);
      onChange(this.#params, (query) => {
        this.#parts = ask({ url: this.#parts.href, set: "search", value: query })!;
      });
    }
    return this.#params;
  }

  get href(): string {
    return this.#parts.href;
  }
  set href(value: unknown) {
    this.#set("href", value);
  }
  get origin(): string {
    return this.#parts.origin;
  }
  get protocol(): string {
    return this.#parts.protocol;
  }
  set protocol(value: unknown) {
    this.#set("protocol", value);
  }
  get username(): string {
    return this.#parts.username;
  }
  set username(value: unknown) {
    this.#set("username", value);
  }
  get password(): string {
    return this.#parts.password;
  }
  set password(value: unknown) {
    this.#set("password", value);
  }
  get host(): string {
    return this.#parts.host;
  }
  set host(value: unknown) {
    this.#set("host", value);
  }
  get hostname(): string {
    return this.#parts.hostname;
  }
  set hostname(value: unknown) {
    this.#set("hostname", value);
  }
  get port(): string {
    return this.#parts.port;
  }
  set port(value: unknown) {
    this.#set("port", value);
  }
  get pathname(): string {
    return this.#parts.pathname;
  }
  set pathname(value: unknown) {
    this.#set("pathname", value);
  }
  get search(): string {
    return this.#parts.search;
  }
  set search(value: unknown) {
    this.#set("search", value);
  }
  get hash(): string {
    return this.#parts.hash;
  }
  set hash(value: unknown) {
    this.#set("hash", value);
  }
  toString(): string {
    return this.#parts.href;
  }
  toJSON(): string {
    return this.#parts.href;
  }
}

export function installURL(): void {
  defineClass(globalThis, "URL", GuestURL);
  showInstances(GuestURL.prototype, "URL", "href");
}
