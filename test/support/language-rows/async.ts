import type { Row } from "./row.js";
import { withTools } from "./row.js";

export const asyncRows: readonly Row[] = [
  ["awaits at the top level", "const r0 = await Promise.resolve(3);\nr0*2", "→ 6"],
  [
    "runs for await",
    "async function* g(){ yield 1; yield 2 }\nconst out=[]; for await (const v of g()) out.push(v);\nout.join()",
    "→ 1,2",
  ],
  [
    "runs async generators",
    "async function* g2(){ yield 1 }\nJSON.stringify(await g2().next())",
    '→ {"value":1,"done":false}',
  ],
  [
    "reports a rejected value",
    "Promise.reject(new TypeError('nope'))",
    "TypeError: nope\n  at eval 1, line 1, column 29\n    Promise.reject(new TypeError('nope'))",
  ],
  [
    "shows late lines with the eval that started them",
    ["Promise.resolve().then(()=>console.log('late')); 7", "8"],
    ["late\n→ 7", "→ 8"],
  ],
  [
    "shows late lines of a chain",
    "(async () => { for (let i = 0; i < 3; i++) { await 0; console.log(i) } })(); 'end'",
    "0\n1\n2\n→ end",
  ],
  [
    "fails at once for a promise nothing settles",
    "await new Promise(()=>{})",
    "Never settled: the code awaits a promise that nothing pending can settle: no call, timer or job is left",
  ],
  [
    "fails at once for a promise value nothing settles",
    "new Promise(()=>{})",
    "Never settled: the code awaits a promise that nothing pending can settle: no call, timer or job is left",
  ],
  [
    "fails at once for withResolvers",
    "const { promise } = Promise.withResolvers(); await promise",
    "Never settled: the code awaits a promise that nothing pending can settle: no call, timer or job is left",
  ],
  [
    "refuses await in a plain function",
    "function f9(){ await 1 }",
    "SyntaxError: await is only valid in async functions and at the top level\n  at eval 1, line 1, column 22\n    function f9(){ await 1 }\n                         ^",
  ],
  [
    "refuses await in a plain arrow",
    "[1].map(x => await x)",
    "SyntaxError: await is only valid in async functions and at the top level\n  at eval 1, line 1, column 20\n    [1].map(x => await x)\n                       ^",
  ],
  [
    "reports the first failure of Promise.all",
    'await Promise.all([1,2].map(async x=>{ if(x===2) throw new Error("second"); return x }))',
    'Error: second\n  at eval 1, line 1, column 65\n    await Promise.all([1,2].map(async x=>{ if(x===2) throw new Error("second"); return x }))\n  at eval 1, line 1, column 28',
  ],
  [
    "shows allSettled",
    "await Promise.allSettled([1, Promise.reject(new Error('e'))])",
    '→ [{"status": "fulfilled", "value": 1}, {"status": "rejected", "reason": [Error: e]}]',
  ],
  ["sleeps", "const sleep = ms => new Promise(r=>setTimeout(r,ms)); await sleep(1)", "→ undefined"],
  ["sleeps and goes on", 'await new Promise(r => setTimeout(r, 20)); "slept"', "→ slept"],
  [
    "runs timers in order",
    "const out = []; setTimeout(() => out.push('a'), 1); setTimeout(() => out.push('b'), 1); await new Promise((r) => setTimeout(r, 1)); out",
    '→ ["a", "b"]',
  ],
  ["passes arguments to a timer", "await new Promise((r) => setTimeout(r, 1, 'arg'))", "→ arg"],
  [
    "clears a timer",
    "const id = setTimeout(() => console.log('no'), 1); clearTimeout(id); await new Promise((r) => setTimeout(r, 5)); 'ok'",
    "→ ok",
  ],
  [
    "runs an interval until it is cleared",
    "let n = 0; await new Promise((r) => { const id = setInterval(() => { if (++n === 3) { clearInterval(id); r() } }, 1) }); n",
    "→ 3",
  ],
  [
    "cancels a timer that is left",
    "setTimeout(() => console.log('never'), 60000); 'now'",
    "→ now\n(1 timer was still pending and has been cancelled; await it to let it run)",
  ],
  [
    "cancels an interval that is left",
    "setInterval(() => {}, 1000); 'now'",
    "→ now\n(1 timer was still pending and has been cancelled; await it to let it run)",
  ],
  [
    "refuses a timer without a function",
    "setTimeout('code', 1)",
    "TypeError: setTimeout needs a function as its first argument.\n  at eval 1, line 1, column 11\n    setTimeout('code', 1)",
  ],
  [
    "orders microtasks before timers",
    "const o = []; setTimeout(() => o.push('t')); queueMicrotask(() => o.push('m')); o.push('s'); await new Promise((r) => setTimeout(r, 2)); o",
    '→ ["s", "m", "t"]',
  ],
  [
    "ends a loop that never ends",
    "while (true) {}",
    "Timeout: the code ran longer than 60 ms (executionTimeoutMs); waiting for tools does not count; what it changed until then stays",
    { eval: { limits: { executionTimeoutMs: 60 } } },
  ],
  [
    "ends a loop of microtasks",
    "const f = () => Promise.resolve().then(f); await f()",
    /^Timeout: /,
    { eval: { limits: { executionTimeoutMs: 60 } } },
  ],
  [
    "does not let code catch a timeout",
    "try { while (true) {} } catch { 'caught' } finally { console.log('finally') }",
    /^Timeout: /,
    { eval: { limits: { executionTimeoutMs: 60 } } },
  ],
  [
    "ends a wait that is too long",
    "await new Promise((r) => setTimeout(r, 60000))",
    "Wait timeout: the eval took longer than 30 ms (waitTimeoutMs); what it changed until then stays\n(1 timer was still pending and has been cancelled; await it to let it run)",
    { eval: { limits: { waitTimeoutMs: 30 } } },
  ],
  ["ends an eval that is aborted", "1", /^Aborted: /, { eval: { signal: AbortSignal.abort() } }],
  [
    "never goes on with a stopped program",
    [
      "let later = 'no'; await new Promise((r) => setTimeout(r, 60000)); later = 'yes'",
      "await new Promise((r) => setTimeout(r, 5)); later",
    ],
    [/^Wait timeout: /, /^(?:→ no|Wait timeout: )/],
    { eval: { limits: { waitTimeoutMs: 40 } } },
  ],
  [
    "awaits calls that were not awaited",
    "tools.echo({ a: 1 }).then((v) => console.log(v.a)); 'end'",
    "1\n→ end",
    withTools,
  ],
  ["gives a tool's value as it is", "const v = await tools.num({}); typeof v + v", "→ number42", withTools],
  [
    "lets code catch a tool's error",
    "try { await tools.boom({}) } catch (e) { `${e.name}: ${e.message}` }",
    "→ Error: exploded",
    withTools,
  ],
  [
    "reports a tool's error",
    "await tools.boom({})",
    "Error: exploded\n  at eval 1, line 1, column 17\n    await tools.boom({})",
    withTools,
  ],
  [
    "reports a tool that does not exist",
    "await tools.nope({})",
    'TypeError: There is no tool "nope". There are: num, echo, boom.\n  at eval 1, line 1, column 17\n    await tools.nope({})',
    withTools,
  ],
  ["lists tools", "Object.keys(tools)", '→ ["num", "echo", "boom"]', withTools],
  [
    "keeps tools from being replaced",
    ["tools.num = async () => 'hijacked'; await tools.num({})", "await tools.num({})"],
    ["→ 42", "→ 42"],
    withTools,
  ],
  ["runs calls in parallel", "(await Promise.all([tools.num({}), tools.num({})])).length", "→ 2", withTools],
  [
    "limits calls",
    "await tools.num({}); await tools.num({})",
    "Error: PTC call budget exceeded (limit=1, attempted=2, function=num). 1 call ran.\n  at eval 1, line 1, column 37\n    await tools.num({}); await tools.num({})",
    { eval: { ...withTools.eval, limits: { maxHostCalls: 1 } } },
  ],
  ["lets code race", "await Promise.race([tools.num({}), new Promise(() => {})])", "→ 42", withTools],
  ["awaits a thenable", "await { then(r) { r('t') } }", "→ t"],
  [
    "hands values of every kind to a tool and back",
    "const v = await tools.echo({ m: new Map([[1n, undefined]]), d: new Date(5), b: new Uint8Array([1]), n: -0, s: 'a\\0\\ud800' }); [v.m, v.d, v.b, v.n, v.s.length]",
    "→ [Map(1) {1n => undefined}, 1970-01-01T00:00:00.005Z, Uint8Array(1) [1], -0, 3]",
    withTools,
  ],
  ["aborts with a controller", "const c = new AbortController(); c.abort(); c.signal.aborted", "→ true"],
];
