/**
 * What a task costs a model, tools called directly against tools called from code: `npm run build`, then
 * `node test/bench/turns.mjs`. Prints, never fails. The task is the demo's two questions about 3,201 films; the
 * decisions are scripted, the agents, tools and messages are real. Calling directly is given the benefit of the doubt:
 * its model makes no mistake, and computes the ranking of the rows it reads in its head.
 */
import { readFile } from "node:fs/promises";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { createCodeInterpreterMiddleware } from "../../dist/src/langchain/index.js";
import { DataLibrary } from "../../dist/web/demo/data-sets.js";
import { createDataTools } from "../../dist/web/demo/data-tools.js";
import { moviesScenario, nextScripted } from "../../dist/web/demo/scenario.js";
import { ScriptedModel } from "../../dist/web/demo/scripted-model.js";

const CHARS_PER_TOKEN = 4;
const data = new URL("../../node_modules/vega-datasets/data/", import.meta.url);
const library = new DataLibrary((file) => readFile(new URL(file, data), "utf8"));

/** Counts what goes to the model and what comes from it. */
class CountedModel extends ScriptedModel {
  requests = 0;
  read = 0;
  largest = 0;
  written = 0;
  toolChars = 0;

  bindTools(tools) {
    this.toolChars = JSON.stringify(
      tools.map(({ name, description, schema }) => ({ name, description, schema })),
    ).length;
    return this;
  }

  async _generate(messages, ...rest) {
    const result = await super._generate(messages, ...rest);
    this.requests++;
    const chars = this.toolChars + messages.reduce((sum, message) => sum + size(message), 0);
    this.read += chars;
    this.largest = Math.max(this.largest, chars);
    this.written += size(result.generations[0].message);
    return result;
  }
}

function size(message) {
  const calls = AIMessage.isInstance(message) ? message.tool_calls : [];
  return (
    message.text.length +
    (calls.length > 0 ? JSON.stringify(calls.map(({ name, args }) => ({ name, args }))).length : 0)
  );
}

const call = (name, args, id) => ({ id, name, args });
const offsets = [0, 1000, 2000, 3000];
const answer = "Horror earns the most per dollar of its budget; the ranking follows. ".repeat(4);

/** @param pages How many pages of rows one message of the model asks for. */
function nextDirect(pages) {
  return (messages) => {
    const questions = messages.filter((message) => HumanMessage.isInstance(message)).length;
    // The second question is about rows that are in the conversation already.
    if (questions > 1) return { text: answer };
    const results = messages.filter((message) => ToolMessage.isInstance(message)).length;
    if (results === 0) return { toolCalls: [call("describe_dataset", { dataset: "movies" }, "d")] };
    const wanted = offsets.slice(results - 1, results - 1 + pages);
    if (wanted.length === 0) return { text: answer };
    return {
      toolCalls: wanted.map((offset) =>
        call("load_rows", { dataset: "movies", offset, limit: 1000 }, `l${offset}`),
      ),
    };
  };
}

async function measure(name, next, withCode) {
  const model = new CountedModel(next);
  const tools = createDataTools(library);
  const ptc = tools.map((tool) => tool.name);
  const agent = createAgent({
    model,
    tools,
    systemPrompt: "You answer questions about data sets.",
    middleware: withCode ? [createCodeInterpreterMiddleware({ ptc })] : [],
    checkpointer: new MemorySaver(),
  });
  const config = { configurable: { thread_id: name } };
  for (const { question } of moviesScenario) {
    const { messages } = await agent.invoke({ messages: [new HumanMessage(question)] }, config);
    const failed = messages.find((message) => ToolMessage.isInstance(message) && message.status === "error");
    if (failed) throw new Error(failed.text);
  }
  const tokens = (chars) =>
    Math.round(chars / CHARS_PER_TOKEN)
      .toLocaleString("en")
      .padStart(12);
  console.log(
    name.padEnd(34),
    String(model.requests).padStart(8),
    tokens(model.read),
    tokens(model.largest),
    tokens(model.written),
  );
}

console.log("Two questions about 3,201 films; tokens as characters / 4");
console.log("".padEnd(34), "requests", "read".padStart(12), "largest".padStart(12), "written".padStart(12));
await measure("tools called one by one", nextDirect(1), false);
await measure("tools called together", nextDirect(4), false);
await measure("tools called from code", (messages) => nextScripted(messages), true);
