/** What a session in another thread has to do, whichever kind of thread it is. */
import { describe, expect, test } from "vitest";
import { CallHeld, createInterpreter, type Interpreter, type InterpreterOptions } from "../../src/index.js";

type MakeInterpreter = (options: InterpreterOptions) => Promise<Interpreter>;

/** Nothing in the engine looks at the clock while it compares, and this compares for hours. */
const UNINTERRUPTIBLE = `"a".repeat(2e7).indexOf("a".repeat(1e7) + "b")`;

export function remoteSessionBehaviour(make: MakeInterpreter): void {
  describe("a session in another thread", () => {
    const open = async (options: InterpreterOptions = {}) => (await make(options)).open();

    test("evaluates, keeps its variables, and answers with values and console lines", async () => {
      const session = await open();
      await session.eval("var kept = new Map([['a', [1n, -0, undefined]]]); console.warn('careful')");
      const lines: string[] = [];
      const result = await session.eval("console.log('seen'); kept", {
        onLog: ({ text }) => lines.push(text),
      });
      expect(result).toMatchObject({ status: "completed", logs: [{ level: "log", text: "seen" }] });
      expect(result.status === "completed" && result.value).toEqual(new Map([["a", [1n, -0, undefined]]]));
      expect(lines).toEqual(["seen"]);
      expect((await session.variables()).map(({ name }) => name)).toEqual(["kept"]);
      expect([session.evalCount, session.isDirty]).toEqual([2, true]);
      session.dispose();
    });

    test("calls functions of this thread, in parallel, with their errors and their names beside the list", async () => {
      const session = await open();
      let atOnce = 0;
      let bothRun = () => {};
      const parallel = new Promise<void>((resolve) => {
        bothRun = resolve;
      });
      const slow = async (input: unknown) => {
        if (++atOnce === 2) bothRun();
        // Only a second call that runs beside the first lets either end.
        await parallel;
        return { got: input, bytes: new Uint8Array([1, 2]) };
      };
      const fails = () => {
        throw Object.assign(new RangeError("too far"), { data: { limit: 3 } });
      };
      const table = new Map<string, (input: unknown) => unknown>([
        ["slow", slow],
        ["alias", slow],
        ["fails", fails],
      ]);
      const missed: string[] = [];
      const tools = {
        names: () => ["slow", "fails"],
        others: () => [...table.keys()],
        get: (name: string) => {
          if (!table.has(name)) missed.push(name);
          return table.get(name);
        },
      };
      const code = `const both = await Promise.all([tools.slow(new Date(5)), tools.alias([1])]);
        let caught; try { await tools.fails({}) } catch (error) { caught = [error.name, error.message, error.data.limit] }
        let none; try { await tools.nothing() } catch (error) { none = error.message }
        [both[0].got.getTime(), both[1].got, both[0].bytes instanceof Uint8Array, caught, none, Object.keys(tools)]`;
      const events: string[] = [];
      const result = await session.eval(code, {
        tools,
        onCall: ({ type, name }) => events.push(`${type} ${name}`),
      });
      expect(result.status === "completed" && result.value).toEqual([
        5,
        [1],
        true,
        ["RangeError", "too far", 3],
        'There is no tool "nothing". There are: slow, fails.',
        ["slow", "fails"],
      ]);
      expect(missed).toContain("nothing");
      expect(events.filter((event) => event.startsWith("end"))).toHaveLength(3);
      session.dispose();
    });

    test("moves between threads by its snapshot", async () => {
      const away = await open();
      await away.eval("let count = 0; const next = () => ++count; next()");
      const bytes = await away.snapshot({ binding: "thread" });
      away.dispose();
      const here = await createInterpreter();
      const local = await here.restore(bytes, { binding: "thread" });
      await local.eval("next()");
      const back = await make({});
      const session = await back.restore(await local.snapshot({ binding: "thread" }), { binding: "thread" });
      expect(await session.eval("next()")).toMatchObject({ value: 3 });
      await expect(back.restore(bytes, { binding: "other" })).rejects.toMatchObject({
        code: expect.stringMatching(/^SNAPSHOT_/),
      });
      here.dispose();
      back.dispose();
    });

    test("pauses at a call that is gated or held, and goes on with the decision", async () => {
      const session = await open();
      const tools = {
        send: (input: unknown) => `sent ${input}`,
        later: () => {
          throw new CallHeld();
        },
      };
      const isGated = ({ name }: { name: string }) => name === "send";
      const code = "const first = await tools.send('a'); const second = await tools.later(); [first, second]";
      const paused = await session.eval(code, { tools, isGated });
      expect(paused).toMatchObject({ status: "paused", calls: [{ name: "send", input: "a" }] });
      expect(session.isPaused).toBe(true);
      const id = session.pausedCalls[0]!.id;
      const held = await session.resume(new Map([[id, { type: "run", input: "b" }]]), { tools, isGated });
      expect(held).toMatchObject({ status: "paused", calls: [{ name: "later" }] });
      const last = session.pausedCalls[0]!.id;
      const done = await session.resume(new Map([[last, { type: "resolve", value: 7 }]]), { tools, isGated });
      expect(done).toMatchObject({ status: "completed", value: ["sent b", 7] });
      session.dispose();
    });

    test("ends an endless loop by the engine's own limit and loses nothing", async () => {
      const session = await open({ limits: { executionTimeoutMs: 200 } });
      await session.eval("var kept = 1");
      expect(await session.eval("kept = 2; for (;;);")).toMatchObject({ error: { code: "TIMEOUT" } });
      expect(await session.eval("kept")).toMatchObject({ value: 2 });
      session.dispose();
    });

    test("ends what the engine cannot stop with its thread, and goes on from the last snapshot", async () => {
      const session = await open({ limits: { executionTimeoutMs: 200 } });
      await session.eval("var kept = 'saved'");
      await session.snapshot();
      const failed = await session.eval(`kept = 'lost'; console.log('begun'); ${UNINTERRUPTIBLE}`);
      expect(failed).toMatchObject({
        status: "failed",
        error: { code: "TIMEOUT" },
        logs: [{ text: "begun" }],
      });
      expect(failed.status === "failed" && failed.error.message).toContain("last snapshot (as of eval 1)");
      expect(await session.eval("kept")).toMatchObject({ value: "saved" });
      session.dispose();
    });

    test("an abort ends code that waits, and what it changed stays", async () => {
      const session = await open();
      const controller = new AbortController();
      const result = await session.eval("var kept = 1; await tools.stop({}); kept = 2", {
        signal: controller.signal,
        tools: {
          stop: () => {
            controller.abort();
            return new Promise(() => {});
          },
        },
      });
      expect(result).toMatchObject({ status: "failed", error: { code: "ABORTED" } });
      expect(result.status === "failed" && result.error.message).toContain(
        "what it changed until then stays",
      );
      expect(await session.eval("kept")).toMatchObject({ value: 1 });
      session.dispose();
    });

    test("an abort ends code that would run for ever; where threads share memory, what it changed stays", async () => {
      const session = await open({ limits: { executionTimeoutMs: null } });
      const isShared = typeof SharedArrayBuffer !== "undefined";
      await session.eval("var kept = 'before'");
      await session.snapshot();
      const controller = new AbortController();
      const onLog = () => controller.abort();
      const result = await session.eval("kept = 'in the loop'; console.log('runs'); for (;;);", {
        signal: controller.signal,
        onLog,
      });
      expect(result).toMatchObject({ status: "failed", error: { code: "ABORTED" } });
      expect(result.status === "failed" && result.error.rebuilt === true).toBe(!isShared);
      expect(await session.eval("kept")).toMatchObject({ value: isShared ? "in the loop" : "before" });
      session.dispose();
    });

    test("refuses work once it is disposed, and a clock that cannot travel", async () => {
      const session = await open();
      session.dispose();
      await expect(session.eval("1")).rejects.toMatchObject({ code: "SESSION_DISPOSED" });
      await expect(make({ clock: () => 0 })).rejects.toThrow(/`clock` must be left out/);
    });
  });
}
