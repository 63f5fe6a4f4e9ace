import { ToolMessage } from "@langchain/core/messages";
import { InMemoryStore } from "@langchain/langgraph";
import { expect, test } from "vitest";
import { memoryStore } from "../../src/store.js";
import { start, world } from "../support/approval-agent.js";
import { asked, texts } from "../support/approval-answers.js";

const approve = { type: "approve" };
const wait = { type: "wait" };
const reject = (message?: string) => ({ type: "reject", ...(message && { message }) });
const edit = (name: string, args: object) => ({ type: "edit", editedAction: { name, args } });
const answer = (...decisions: unknown[]) => ({ decisions });
const argsOf = (request: ReturnType<typeof asked>) => request.actionRequests.map(({ args }) => args["of"]);

test("a gated call pauses the graph with the request of humanInTheLoopMiddleware, and goes on in another process", async () => {
  const given = world(
    "console.log('before'); const paid = await tools.charge({ of: 'a' }); const sent = await tools.sendMail({ of: 'b' }); console.log('after'); [paid, sent].join()",
  );
  expect(asked(await start(given).ask())).toEqual({
    actionRequests: [
      {
        name: "send_mail",
        args: { of: "b" },
        description: 'Tool execution requires approval\n\nTool: send_mail\nArgs: {\n  "of": "b"\n}',
      },
    ],
    reviewConfigs: [{ actionName: "send_mail", allowedDecisions: ["approve", "edit", "reject"] }],
  });
  expect(given.effects.done).toEqual(["charge a"]);
  const end = await start(given).resume(answer(approve));
  expect(texts(end)).toEqual(["before\nafter\n→ charge:a,send_mail:b"]);
  expect(given.effects.done).toEqual(["charge a", "send_mail b"]);
});

test("an edit changes the arguments, a rejection rejects the call with its message", async () => {
  const given = world(
    "const first = await tools.sendMail({ of: 'a' }); let text; try { await tools.deleteFile({ of: 'b' }) } catch (error) { text = error.name + ': ' + error.message } first + ' / ' + text",
  );
  const run = start(given);
  await run.ask();
  const second = await run.resume(answer(edit("send_mail", { of: "edited" })));
  expect(asked(second).reviewConfigs).toEqual([
    { actionName: "delete_file", allowedDecisions: ["approve", "reject"] },
  ]);
  const end = await run.resume(answer(reject("too dangerous")));
  expect(texts(end)).toEqual(["→ send_mail:edited / RejectedError: too dangerous"]);
  expect(given.effects.done).toEqual(["send_mail edited"]);
});

test("several gated calls are one request in call order, and may be answered one by one", async () => {
  const given = world(
    "const seen = []; const all = await Promise.all(['a', 'b', 'c'].map(async (of) => { const got = await tools.sendMail({ of }); seen.push(of); return got })); [seen.join(), all.join()].join(' ')",
  );
  expect(argsOf(asked(await start(given).ask()))).toEqual(["a", "b", "c"]);
  expect(argsOf(asked(await start(given).resume(answer(wait, approve, wait))))).toEqual(["a", "c"]);
  expect(given.effects.done).toEqual(["send_mail b"]);
  expect(argsOf(asked(await start(given).resume(answer(null, approve))))).toEqual(["a"]);
  const end = await start(given).resume(answer(approve));
  expect(texts(end)).toEqual(["→ b,c,a send_mail:a,send_mail:b,send_mail:c"]);
});

test("no catch, finally, race or timer of the program sees the pause", async () => {
  const given = world(
    `let m = [];
     const timer = new Promise((resolve) => setTimeout(() => resolve("timeout"), 5));
     try { m.push(await Promise.race([tools.sendMail({ of: "a" }), timer])) } catch { m.push("caught") } finally { m.push("finally") }
     m.join()`,
  );
  await start(given).ask();
  const end = await start(given).resume(answer(approve));
  expect(texts(end)[0]).toMatch(/^→ (send_mail:a|timeout),finally/);
  expect(given.effects.done).toEqual(["send_mail a"]);
});

test("calls in flight finish before the pause, and what code does with them happens", async () => {
  const given = world(
    "const out = []; await Promise.all([tools.sendMail({ of: 'm' }), (async () => { for (let i = 0; i < 3; i++) out.push(await tools.charge({ of: String(i) })) })()]); out.length",
  );
  await start(given).ask();
  expect(given.effects.done).toEqual(["charge 0", "charge 1", "charge 2"]);
  const end = await start(given).resume(answer(approve));
  expect(texts(end)).toEqual(["→ 3"]);
});

test("a program may pause sixty times, each time in another process", async () => {
  const given = world(
    "let sum = 0; for (let i = 0; i < 60; i++) { await tools.sendMail({ of: String(i) }); sum += i } console.log('once'); sum",
  );
  let last = await start(given).ask();
  for (let pause = 0; pause < 60; pause++) {
    expect(argsOf(asked(last))).toEqual([String(pause)]);
    last = await start(given).resume(answer(approve));
  }
  expect(texts(last)).toEqual(["once\n→ 1770"]);
  expect(given.effects.done).toEqual(Array.from({ length: 60 }, (_, i) => `send_mail ${i}`));
});

test("an answer that cannot be used is asked again, with the reason, and nothing has happened", async () => {
  const given = world("await Promise.all([tools.sendMail({ of: 'a' }), tools.deleteFile({ of: 'b' })])");
  const run = start(given);
  await run.ask();
  const cases: [unknown, RegExp][] = [
    ["yes", /has to be \{ decisions/],
    [answer(approve), /1 decision for 2 actions/],
    [answer(approve, approve, approve), /3 decisions for 2 actions/],
    [answer(approve, edit("delete_file", {})), /Decision 2 \(delete_file\): "edit" is not allowed/],
    [answer(approve, { type: "respond" }), /"respond" is not allowed; allowed: approve, reject/],
    [
      answer(edit("send_mail", { of: 7 }), approve),
      /Decision 1 \(send_mail\): the edited arguments do not fit: .*of/,
    ],
    [answer(edit("charge", { of: "x" }), approve), /not call "charge"/],
    [answer({ type: "edit" }, approve), /editedAction/],
    [answer({ type: "reject", message: 5 }, approve), /has to be a text/],
  ];
  for (const [wrong, reason] of cases) {
    const request = asked(await start(given).resume(wrong));
    expect(request.error).toMatch(reason);
    expect(argsOf(request)).toEqual(["a", "b"]);
    expect(given.effects.done).toEqual([]);
  }
  await start(given).resume(answer(approve, reject()));
  expect(given.effects.done).toEqual(["send_mail a"]);
});

test("when, description and argsSchema are those of humanInTheLoopMiddleware", async () => {
  const seen: unknown[] = [];
  const argsSchema = { type: "object" };
  const given = world("await tools.sendMail({ of: 'small' }); await tools.sendMail({ of: 'big' })", {
    interruptOn: {
      // The name that code uses is as good as the tool's own.
      sendMail: {
        allowedDecisions: ["approve"],
        argsSchema,
        when: async ({ toolCall }) => {
          seen.push(toolCall.name, toolCall.args);
          return toolCall.args["of"] === "big";
        },
        description: async ({ name, args }) => `${name} to ${String(args["of"])}`,
      },
    },
  });
  const request = asked(await start(given).ask());
  expect(request.actionRequests).toEqual([
    { name: "send_mail", args: { of: "big" }, description: "send_mail to big" },
  ]);
  expect(request.reviewConfigs).toEqual([
    { actionName: "send_mail", allowedDecisions: ["approve"], argsSchema },
  ]);
  expect(given.effects.done).toEqual(["send_mail small"]);
  expect(seen).toEqual(["send_mail", { of: "small" }, "send_mail", { of: "big" }]);
  await start(given).resume(answer(approve));
  expect(given.effects.done).toEqual(["send_mail small", "send_mail big"]);
});

test("a `when` that fails lets nothing through", async () => {
  const given = world("await tools.sendMail({ of: 'a' })", {
    interruptOn: {
      send_mail: {
        allowedDecisions: ["approve"],
        when: () => {
          throw new Error("no policy");
        },
      },
    },
  });
  expect(texts(await start(given).ask())[0]).toMatch(/no policy/);
  expect(given.effects.done).toEqual([]);
});

test("a new message instead of an answer cancels the eval: the model is told and its variables are there", async () => {
  const given = world([
    "const kept = await tools.charge({ of: 'a' }); let later = 'before'; await tools.sendMail({ of: 'b' }); later = 'after'",
    "kept + ' ' + later",
  ]);
  await start(given).ask();
  given.messages.shift();
  const run = start(given);
  const end = await run.ask("never mind");
  // A conversation with a call that has no answer is refused by providers.
  const [first] = run.model.calls;
  expect(first?.messages.map((message) => message.type)).toEqual(["system", "human", "ai", "tool", "human"]);
  expect(first?.messages[3]?.text).toMatch(/^Cancelled/);
  const [text] = texts(end).slice(-1);
  expect(text).toContain("→ charge:a before");
  expect(text).toContain("cancelled");
  expect(given.effects.done).toEqual(["charge a"]);
});

test("the same in the process that paused", async () => {
  const given = world(["var kept = 1; await tools.sendMail({ of: 'b' }); kept = 2", "kept"]);
  given.messages.splice(1, 1);
  const run = start(given);
  await run.ask();
  const [text] = texts(await run.ask("never mind")).slice(-1);
  expect(text).toMatch(/cancelled[\s\S]*→ 1|→ 1[\s\S]*cancelled/);
});

test("an image that is gone ends the eval with a text that says so, and nothing runs again", async () => {
  const snapshots = memoryStore();
  const given = world("await tools.charge({ of: 'a' }); await tools.sendMail({ of: 'b' })", { snapshots });
  await start(given).ask();
  for (const { key } of await snapshots.list()) await snapshots.delete(key);
  const end = await start(given).resume(answer(approve));
  expect(texts(end)[0]).toMatch(/cannot go on: what was kept of it is gone/);
  expect(end.messages.find((message) => ToolMessage.isInstance(message))).toHaveProperty("status", "error");
  expect(given.effects.done).toEqual(["charge a"]);
});

test("a process that ends while it goes on leaves an eval that is not run twice", async () => {
  const given = world("await tools.sendMail({ of: 'a' }); await tools.charge({ of: 'hang' }); 1");
  await start(given).ask();
  let reached!: () => void;
  const arrived = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const [charge] = given.effects.tools as unknown as [{ func: unknown }];
  const original = charge.func;
  charge.func = () => {
    reached();
    return new Promise(() => {});
  };
  void start(given).resume(answer(approve));
  await arrived;
  charge.func = original;
  const end = await start(given).go();
  expect(texts(end)[0]).toMatch(/the process that went on with it ended/);
  expect(given.effects.done).toEqual(["send_mail a"]);
});

test("without a checkpointer nobody can be asked, so the call is refused", async () => {
  const given = world("await tools.sendMail({ of: 'a' })");
  const end = await start({ ...given, checkpointer: undefined as never }).ask();
  expect(texts(end)[0]).toMatch(/send_?[mM]ail did not run: .*no checkpointer/);
  expect(given.effects.done).toEqual([]);
});

test.each([
  ["a SnapshotStore", { options: { snapshots: memoryStore() } }],
  ["a SnapshotStore with a key", { options: { snapshots: memoryStore(), snapshotSigningKey: "secret" } }],
  ["LangGraph's store", { store: new InMemoryStore() }],
  ["the checkpointer", {}],
])("a pause is kept in %s", async (_, more) => {
  const { options, ...rest } = more as { options?: object };
  const given = world(
    "const a = await tools.sendMail({ of: 'a' }); a + (await tools.sendMail({ of: 'b' }))",
    options,
    rest,
  );
  await start(given).ask();
  await start(given).resume(answer(approve));
  const end = await start(given).resume(answer(approve));
  expect(texts(end)).toEqual(["→ send_mail:asend_mail:b"]);
});

test("a changed pause is refused where snapshots are signed", async () => {
  const snapshots = memoryStore();
  const given = world("await tools.sendMail({ of: 'a' })", { snapshots, snapshotSigningKey: "secret" });
  await start(given).ask();
  for (const { key } of await snapshots.list()) {
    const bytes = (await snapshots.get(key))?.bytes as Uint8Array;
    bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1;
    await snapshots.put(key, bytes);
  }
  const end = await start(given).resume(answer(approve));
  expect(texts(end)[0]).toMatch(/cannot go on/);
  expect(given.effects.done).toEqual([]);
});

test.each(["turn", "call"] as const)("mode %s pauses and goes on", async (mode) => {
  const given = world("const a = await tools.charge({ of: 'a' }); a + (await tools.sendMail({ of: 'b' }))", {
    mode,
  });
  await start(given).ask();
  const end = await start(given).resume(answer(approve));
  expect(texts(end)).toEqual(["→ charge:asend_mail:b"]);
  expect(given.effects.done).toEqual(["charge a", "send_mail b"]);
});

test("errors after the pause point into the source, budgets go on, random numbers do not repeat", async () => {
  const given = world(
    "const before = Math.random();\nawait tools.sendMail({ of: 'a' });\nif (Math.random() === before) throw 1;\nawait tools.charge({ of: 'c' });\nthrow new RangeError('late')",
    { maxPtcCalls: 2 },
  );
  await start(given).ask();
  const first = texts(await start(given).resume(answer(approve)))[0];
  expect(first).toContain("RangeError: late");
  expect(first).toContain("throw new RangeError('late')");
  const over = world("await tools.sendMail({ of: 'a' }); await tools.charge({}); await tools.charge({})", {
    maxPtcCalls: 2,
  });
  await start(over).ask();
  expect(texts(await start(over).resume(answer(approve)))[0]).toContain("budget exceeded (limit=2");
  expect(over.effects.done).toHaveLength(2);
});
