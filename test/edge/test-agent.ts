import { ToolMessage } from "@langchain/core/messages";
import { interrupt } from "@langchain/langgraph";
import { createAgent, type ToolRuntime, tool } from "langchain";
import { z } from "zod";
import { AgentObject, type AgentParts } from "../../edge/index.js";
import { defaultCapacity } from "../../src/capacity.js";
import { createCodeInterpreterMiddleware } from "../../src/langchain/index.js";
import { sharedPool } from "../../src/session/session-pool.js";
import { ScriptedModel, type ScriptedTurn } from "../../web/demo/scripted-model.js";

declare global {
  namespace Cloudflare {
    interface Env {
      AGENTS: DurableObjectNamespace<TestAgent>;
    }
  }
}

/** The most that live sessions of this isolate's objects have taken when a tool was called. */
let peakBytes = 0;

/**
 * An agent that does what the last message says: `call NAME {json}; NAME {json}` calls tools, anything else is
 * answered. Counts of tool calls are kept in the object's own table, so that they survive what the tests do to it.
 */
export class TestAgent extends AgentObject {
  readonly #gates = new Map<string, Gate>();

  createAgent({ checkpointer, snapshots }: AgentParts<Cloudflare.Env>) {
    this.#table();
    const count = tool(
      async ({ label }, config: ToolRuntime) => {
        this.#count(label);
        config.writer?.({ counted: label });
        return `counted ${label}`;
      },
      { name: "count", description: "Counts.", schema: z.object({ label: z.string() }) },
    );
    const wait = tool(
      async ({ label }) => {
        this.#count(label);
        await this.#gate(label).promise;
        return `waited for ${label}`;
      },
      { name: "wait", description: "Waits for release().", schema: z.object({ label: z.string() }) },
    );
    const ask = tool(async ({ question }) => `answer: ${JSON.stringify(interrupt({ question }))}`, {
      name: "ask",
      description: "Asks a person.",
      schema: z.object({ question: z.string() }),
    });
    const send = tool(
      async ({ label }) => {
        this.#count(label);
        return `sent ${label}`;
      },
      { name: "send", description: "Needs an approval.", schema: z.object({ label: z.string() }) },
    );
    const fail = tool(
      async (): Promise<string> => {
        throw new Error("the tool broke");
      },
      { name: "fail", description: "Fails.", schema: z.object({}) },
    );
    const askThenWait = tool(
      async ({ label }) => {
        const answer = interrupt({ question: label });
        this.#count(label);
        await this.#gate(label).promise;
        return `answer: ${answer}`;
      },
      { name: "askThenWait", description: "Asks, then waits.", schema: z.object({ label: z.string() }) },
    );
    const nested = createAgent({ model: new ScriptedModel(script), tools: [] });
    const delegate = tool(
      async ({ task }) => {
        const { messages } = await nested.invoke({ messages: [{ role: "user", content: task }] });
        return messages.at(-1)!.text;
      },
      { name: "delegate", description: "Asks another agent.", schema: z.object({ task: z.string() }) },
    );
    const tools = [count, wait, ask, send, fail, askThenWait, delegate];
    const middleware = [
      createCodeInterpreterMiddleware({
        snapshots,
        ptc: ["count", "wait", "ask", "send"],
        interruptOn: { send: true },
      }),
    ];
    return createAgent({ model: new ScriptedModel(script), tools, middleware, checkpointer });
  }

  /** Lets `wait` go on. */
  release(label: string): void {
    this.#gate(label).resolve();
  }

  /** Takes this object down as a deploy or a crash would: at once, with everything in memory. */
  crash(): void {
    this.ctx.abort("crashed by the test");
  }

  /** How often tools ran, by label. */
  counts(): Record<string, number> {
    this.#table();
    const rows = this.ctx.storage.sql.exec<{ label: string; n: number }>("SELECT label, n FROM test_count");
    return Object.fromEntries(rows.toArray().map(({ label, n }) => [label, n]));
  }

  #gate(label: string): Gate {
    const gate = this.#gates.get(label) ?? createGate();
    this.#gates.set(label, gate);
    return gate;
  }

  #table(): void {
    this.ctx.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS test_count (label TEXT PRIMARY KEY, n INTEGER NOT NULL)",
    );
  }

  /** The most that sessions of all objects took together whenever a tool was called, since it was last asked for. */
  takePeakBytes(): number {
    const peak = peakBytes;
    peakBytes = 0;
    return peak;
  }

  #count(label: string): void {
    peakBytes = Math.max(peakBytes, sharedPool(defaultCapacity()).liveBytes);
    this.ctx.storage.sql.exec(
      "INSERT INTO test_count VALUES (?, 1) ON CONFLICT (label) DO UPDATE SET n = n + 1",
      label,
    );
  }
}

interface Gate {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function createGate(): Gate {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function script(messages: { text: string }[]): ScriptedTurn {
  const last = messages.at(-1)!;
  if (last instanceof ToolMessage) return { text: `I have the result: ${last.text}` };
  if (last.text === "break") throw new Error("the model broke");
  if (!last.text.startsWith("call ")) return { text: `You said: ${last.text}` };
  const toolCalls = last.text
    .slice(5)
    .split(/; (?=\w+ \{)/)
    .map((call, index) => {
      const [name, json] = [call.slice(0, call.indexOf(" ")), call.slice(call.indexOf(" ") + 1)];
      return { id: `call-${messages.length}-${index}`, name, args: JSON.parse(json) };
    });
  return { toolCalls };
}
