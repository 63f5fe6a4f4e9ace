import { sameAsHost, table } from "../../support/same-as-host.js";

const body = (source: string) => `(() => { ${source} })()`;

sameAsHost("AbortController and AbortSignal are the host's", [
  body("const c = new AbortController(); return [c.signal.aborted, c.signal.reason === undefined];"),
  body(
    "const c = new AbortController(); c.abort(); return [c.signal.aborted, c.signal.reason.name, c.signal.reason.message];",
  ),
  body('const c = new AbortController(); c.abort("why"); c.abort("again"); return c.signal.reason;'),
  body(
    "const c = new AbortController(); let n = 0; c.signal.addEventListener('abort', () => n++); c.abort(); c.abort(); return n;",
  ),
  body(
    "const c = new AbortController(); let seen; c.signal.onabort = function (e) { seen = [e.type, this === c.signal, e.target === c.signal]; }; c.abort(); return seen;",
  ),
  body(
    "const c = new AbortController(); const f = () => { throw 1; }; c.signal.addEventListener('abort', f); c.signal.removeEventListener('abort', f); c.abort(); return 'quiet';",
  ),
  body(
    "try { AbortSignal.abort().throwIfAborted(); } catch (e) { return [e.name, e.code, e instanceof DOMException, e instanceof Error]; }",
  ),
  body("new AbortController().signal.throwIfAborted(); return 1;"),
  "AbortSignal.abort(5).reason",
  "new AbortSignal()",
  body(
    "const any = AbortSignal.any([AbortSignal.abort(1), AbortSignal.abort(2)]); return [any.aborted, any.reason];",
  ),
  "AbortSignal.any([]).aborted",
  "AbortSignal.any([1])",
  body(
    "const a = new AbortController(); const x = AbortSignal.any([AbortSignal.any([a.signal])]); a.abort(); return x.aborted;",
  ),
  body(
    "const a = new AbortController(); const t = new EventTarget(); let n = 0; t.addEventListener('x', () => n++, { signal: a.signal }); t.dispatchEvent(new Event('x')); a.abort(); t.dispatchEvent(new Event('x')); return n;",
  ),
  "Object.prototype.toString.call(new AbortController().signal)",
]);

sameAsHost("EventTarget and Event are the host's", [
  body(
    "const t = new EventTarget(); const log = []; t.addEventListener('x', (e) => log.push(e.type), { once: true }); t.dispatchEvent(new Event('x')); t.dispatchEvent(new Event('x')); return log;",
  ),
  body(
    "const t = new EventTarget(); const log = []; const f = () => log.push(1); t.addEventListener('x', f); t.addEventListener('x', f); t.dispatchEvent(new Event('x')); return log;",
  ),
  body(
    "const t = new EventTarget(); t.addEventListener('x', (e) => e.preventDefault()); return [t.dispatchEvent(new Event('x', { cancelable: true })), t.dispatchEvent(new Event('x'))];",
  ),
  body(
    "const t = new EventTarget(); const log = []; t.addEventListener('x', (e) => { log.push(1); e.stopImmediatePropagation(); }); t.addEventListener('x', () => log.push(2)); t.dispatchEvent(new Event('x')); return log;",
  ),
  body(
    "const t = new EventTarget(); let self; t.addEventListener('x', { handleEvent(e) { self = [this.tag, e.currentTarget === t]; }, tag: 'o' }); t.dispatchEvent(new Event('x')); return self;",
  ),
  body(
    "const t = new EventTarget(); const log = []; t.addEventListener('x', () => { log.push(1); t.addEventListener('x', () => log.push(2)); }); t.dispatchEvent(new Event('x')); return log;",
  ),
  "new EventTarget().dispatchEvent({ type: 'x' })",
  "new Event()",
  body(
    "class Bus extends EventTarget { fire(d) { this.dispatchEvent(new CustomEvent('m', { detail: d })); } } const b = new Bus(); let got; b.addEventListener('m', (e) => (got = e.detail)); b.fire({ a: 1 }); return got;",
  ),
]);

sameAsHost("DOMException is the host's", [
  body(
    "const e = new DOMException('m', 'AbortError'); return [e.name, e.message, e.code, e instanceof Error, String(e)];",
  ),
  body("const e = new DOMException(); return [e.name, e.message, e.code];"),
  "new DOMException('m', { name: 'DataCloneError', cause: 5 }).cause",
  "[DOMException.ABORT_ERR, DOMException.name, DOMException.length]",
  "Object.prototype.toString.call(new DOMException())",
  "Object.keys(new DOMException('m', 'AbortError'))",
]);

table("Where hosts differ", [
  [
    body(
      "const a = new AbortController(), b = new AbortController(); const any = AbortSignal.any([a.signal, b.signal]); const log = []; any.addEventListener('abort', () => log.push('any')); a.signal.addEventListener('abort', () => log.push('a ' + any.aborted)); a.abort('r'); return [any.aborted, any.reason, log];",
    ),
    [true, "r", ["a true", "any"]],
  ],
]);

table("What these need of a session", [
  ["AbortSignal.timeout(5)", "Error: AbortSignal.timeout: there are no timers here"],
  ["AbortSignal.timeout(-1)", /^RangeError/],
  [
    "let fire; globalThis.setTimeout = (f, ms) => { fire = [f, ms]; }; const s = AbortSignal.timeout(50); const before = s.aborted; fire[0](); [before, fire[1], s.aborted, s.reason.name]",
    [false, 50, true, "TimeoutError"],
  ],
  ["const log = []; queueMicrotask(() => log.push('m')); log.push('s'); await 0; log", ["s", "m"]],
  ["queueMicrotask(5)", /^TypeError/],
  [
    "const t = new EventTarget(); const seen = []; t.addEventListener('x', () => { throw 1; }); t.addEventListener('x', () => seen.push('second')); t.dispatchEvent(new Event('x')); seen",
    ["second"],
  ],
]);
