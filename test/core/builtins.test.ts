import { beforeAll, expect, test } from "vitest";
import { BUILTIN_NAMES } from "../../src/builtin-names.js";
import { createInterpreter, type Interpreter } from "../../src/interpreter.js";

let interpreter: Interpreter;
beforeAll(async () => {
  interpreter = await createInterpreter();
});

async function run(source: string): Promise<unknown> {
  const session = await interpreter.open();
  const result = await session.eval(source);
  if (result.status === "failed") return `${result.error.name}: ${result.error.message}`;
  return result.status === "completed" ? result.value : result.status;
}

test("every name of the prompt's list is there in a session", async () => {
  const kinds = await run(
    `${JSON.stringify(BUILTIN_NAMES)}.filter((name) => typeof globalThis[name] === "undefined")`,
  );
  expect(kinds).toEqual([]);
});

test("ASCII is in the order of this runtime's collator", async () => {
  const pieces = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).flatMap((c) => [
    c,
    `a${c}`,
    `${c}10`,
    `${c}9`,
  ]);
  for (const options of [{}, { numeric: true }, { sensitivity: "base" } as const]) {
    const collator = new Intl.Collator("en-US", options);
    const source = `${JSON.stringify(pieces)}.sort((a, b) => a.localeCompare(b, "en-US", ${JSON.stringify(options)}))`;
    expect(await run(source)).toEqual([...pieces].sort(collator.compare));
  }
});

test("Intl, URL and random bytes are this runtime's", async () => {
  expect(await run('(1234.5).toLocaleString("en-US", { style: "currency", currency: "USD" })')).toBe(
    "$1,234.50",
  );
  expect(await run('new Date(0).toLocaleDateString("en-US", { month: "long" })')).toBe("January");
  expect(await run('new URL("/a b?q=ä#f", "https://münchen.example").href')).toBe(
    "https://xn--mnchen-3ya.example/a%20b?q=%C3%A4#f",
  );
  expect(await run("crypto.randomUUID()")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
});

test("the time zone is UTC and the locale en-US, whatever those of the machine are", async () => {
  expect(
    await run(
      "[new Date(2024, 6, 1).getTimezoneOffset(), Intl.DateTimeFormat().resolvedOptions().timeZone, Intl.NumberFormat().resolvedOptions().locale]",
    ),
  ).toEqual([0, "UTC", "en-US"]);
});

test("there is no clock unless one is given", async () => {
  expect(await run("Date.now()")).toMatch(/^Error: There is no clock here/);
  const timed = await createInterpreter({ clock: () => 86_400_000 });
  const result = await (await timed.open()).eval("[new Date().toISOString(), performance.now()]");
  expect(result).toMatchObject({ value: ["1970-01-02T00:00:00.000Z", 0] });
});

test("a timeout of AbortSignal counts as waiting", async () => {
  const source =
    "const s = AbortSignal.timeout(1); await new Promise((resolve) => s.addEventListener('abort', resolve)); s.reason.name";
  expect(await run(source)).toBe("TimeoutError");
});

test("Math.random differs between sessions", async () => {
  expect(await run("Math.random()")).not.toBe(await run("Math.random()"));
});
