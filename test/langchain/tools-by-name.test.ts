/** A run that goes on in a process that has seen no request of the model: its tools are only known by their names. */
import type { BaseMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { createAgent, tool } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type CodeInterpreterOptions, createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import { lastEvalText, modelRunning, question, reviewer } from "../support/scripted-agent.js";

const nothing = z.object({});
const returning = (name: string, value: unknown) =>
  tool(async () => value, { name, description: "Answers.", schema: nothing });

const tools = [
  returning("number", 5),
  returning("flag", false),
  returning("nil", null),
  returning("list", [1, "a"]),
  returning("digits", "5"),
  returning("json_text", '{"a": 1}'),
  returning("pause", "went on"),
];
const ptc = tools.map(({ name }) => name);
const approve = new Command({ resume: { decisions: [{ type: "approve" }] } });
const config = { configurable: { thread_id: "t" } };

/** Each call is a process of its own on the same thread. */
function processes(options: CodeInterpreterOptions = {}) {
  const checkpointer = new MemorySaver();
  return (...programs: string[]) =>
    createAgent({
      model: modelRunning(...programs),
      tools,
      checkpointer,
      middleware: [createCodeInterpreterMiddleware({ ptc, interruptOn: { pause: true }, ...options })],
    });
}

/** Runs the program to its pause in one process and from there in another. */
async function across(program: string, options: CodeInterpreterOptions = {}) {
  const process = processes(options);
  await process(program).invoke(question, config);
  return lastEvalText(await process().invoke(approve as never, config));
}

const all =
  "const read = async () => JSON.stringify([await tools.number({}), await tools.flag({}), await tools.nil({}), await tools.list({}), await tools.digits({}), await tools.jsonText({})]);";

const values = JSON.stringify([5, false, null, [1, "a"], "5", '{"a": 1}']);

describe("results in another process", () => {
  test("are what they were before the pause: a number a number, a text a text", async () => {
    const shown = await across(
      `${all} const before = await read(); await tools.pause({}); const after = await read();
       [before === after, after]`,
    );
    expect(shown).toBe(`→ [true, ${JSON.stringify(values)}]`);
  });

  test("of a tool that has never been called are the text LangChain makes of them, objects and lists apart", async () => {
    expect(await across(`${all} await tools.pause({}); await read()`)).toBe(
      '→ ["5","false","null",[1,"a"],"5",{"a":1}]',
    );
  });

  test("of a tool that is given to `ptc` itself are values in any case", async () => {
    expect(await across(`${all} await tools.pause({}); await read()`, { ptc: tools })).toBe(`→ ${values}`);
  });

  test("are remembered from evals before", async () => {
    const process = processes();
    await process(`${all} await read(); 1`).invoke(question, config);
    await process("await tools.pause({}); await read()").invoke(question, config);
    expect(lastEvalText(await process().invoke(approve as never, config))).toBe(`→ ${values}`);
  });
});

test("a deep agent's files come exactly in another process too, and a subagent's answer stays text", async () => {
  const checkpointer = new MemorySaver();
  const program = `const text = Array.from({ length: 250 }, (_, n) => "line " + n).join("\\n");
    await tools.writeFile({ file_path: "/long", content: text });
    await tools.writeFile({ file_path: "/data.json", content: '{"a": 1}' });
    await tools.pause({});
    [(await tools.readFile({ file_path: "/long" })) === text, await tools.readFile({ file_path: "/data.json" }),
     await task({ description: "[1]", subagentType: "reviewer" }),
     await tools.readFile({ file_path: "/none" }).catch((error) => error.message)]`;
  const process = (...programs: string[]) =>
    createDeepAgent({
      model: modelRunning(...programs),
      tools,
      checkpointer,
      subagents: [reviewer],
      middleware: [
        createCodeInterpreterMiddleware({
          ptc: ["write_file", "read_file", "pause"],
          interruptOn: { pause: true },
        }),
      ],
    });
  await process(program).invoke(question as never, config);
  const done = await process().invoke(approve as never, config);
  expect(lastEvalText(done as unknown as { messages: BaseMessage[] })).toBe(
    `→ [true, "{\\"a\\": 1}", "done: [1]", "Tool 'read_file' failed: File '/none' not found"]`,
  );
});
