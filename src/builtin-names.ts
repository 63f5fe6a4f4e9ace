/**
 * The globals that the guest has beyond ECMAScript, apart from those of the session itself (`tools`, `console`,
 * timers). The prompt lists them from here, and a test compares them with the engine.
 */
export const BUILTIN_NAMES: readonly string[] = [
  "AbortController",
  "AbortSignal",
  "CustomEvent",
  "DOMException",
  "Event",
  "EventTarget",
  "Intl",
  "TextDecoder",
  "TextEncoder",
  "URL",
  "URLSearchParams",
  "atob",
  "btoa",
  "crypto",
  "performance",
  "queueMicrotask",
  "structuredClone",
];
