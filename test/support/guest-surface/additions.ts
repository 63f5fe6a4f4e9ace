/** What the prelude adds to the language. */
import type { Surface } from "./surface.js";

export const additions: Surface = {
  functions: `
    atob btoa clearInterval clearTimeout mapSettled queueMicrotask setInterval setTimeout structuredClone
    withRetries`,
  classes: {
    AbortController: ["", "abort signal Symbol(Symbol.toStringTag)"],
    AbortSignal: ["abort any timeout", "aborted onabort reason throwIfAborted Symbol(Symbol.toStringTag)"],
    CustomEvent: ["", "detail Symbol(Symbol.toStringTag)"],
    DOMException: [
      `
      ABORT_ERR DATA_CLONE_ERR INVALID_CHARACTER_ERR INVALID_STATE_ERR NOT_SUPPORTED_ERR
      QUOTA_EXCEEDED_ERR SYNTAX_ERR TIMEOUT_ERR`,
      `
      ABORT_ERR DATA_CLONE_ERR INVALID_CHARACTER_ERR INVALID_STATE_ERR NOT_SUPPORTED_ERR
      QUOTA_EXCEEDED_ERR SYNTAX_ERR TIMEOUT_ERR Symbol(Symbol.toStringTag)`,
    ],
    Event: [
      "",
      `
      bubbles cancelable currentTarget defaultPrevented isTrusted preventDefault stopImmediatePropagation
      stopPropagation target timeStamp type Symbol(Symbol.toStringTag)`,
    ],
    EventTarget: ["", "addEventListener dispatchEvent removeEventListener Symbol(Symbol.toStringTag)"],
    TextDecoder: ["", "decode encoding fatal ignoreBOM Symbol(Symbol.toStringTag)"],
    TextEncoder: ["", "encode encodeInto encoding Symbol(Symbol.toStringTag)"],
    URL: [
      "canParse parse",
      `
      hash host hostname href origin password pathname port protocol search searchParams toJSON toString
      username Symbol(Symbol.toStringTag)`,
    ],
    URLSearchParams: [
      "",
      `
      append delete entries forEach get getAll has keys set size sort toString values
      Symbol(Symbol.iterator) Symbol(Symbol.toStringTag)`,
    ],
  },
  objects: {
    Intl: `
      Collator DateTimeFormat DisplayNames ListFormat Locale NumberFormat PluralRules RelativeTimeFormat
      Segmenter getCanonicalLocales supportedValuesOf Symbol(Symbol.toStringTag)`,
    console: `
      assert clear count countReset debug dir dirxml error group groupCollapsed groupEnd info log profile
      profileEnd table time timeEnd timeLog timeStamp trace warn Symbol(Symbol.toStringTag)`,
    crypto: "getRandomValues randomUUID Symbol(Symbol.toStringTag)",
    performance: "now timeOrigin toJSON Symbol(Symbol.toStringTag)",
  },
};
