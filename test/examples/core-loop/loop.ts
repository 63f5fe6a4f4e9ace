/** The interpreter without LangChain: a tool-calling loop around a chat completions endpoint. */
import { createInterpreter, formatResult, type HostFunctions } from "edge-interpreter/core";

interface ToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}
type Message =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string | null; readonly tool_calls?: readonly ToolCall[] }
  | { readonly role: "tool"; readonly content: string; readonly tool_call_id: string };

const evalTool = {
  type: "function",
  function: {
    name: "eval",
    description:
      "Runs JavaScript. Variables live on. `await tools.weather({ city })` answers degrees Celsius.",
    parameters: { type: "object", properties: { code: { type: "string" } }, required: ["code"] },
  },
};
const tools: HostFunctions = {
  weather: (input) => ({ Oslo: -4, Cairo: 31 })[(input as { city: "Oslo" | "Cairo" }).city],
};

/** A POST to `/chat/completions` with `messages` and `tools: [evalTool]` goes here. */
async function complete(messages: readonly Message[]): Promise<Message> {
  const code = `const cities = ["Oslo", "Cairo"];
const degrees = await Promise.all(cities.map((city) => tools.weather({ city })));
degrees[1] - degrees[0]`;
  const call = { id: "1", function: { name: evalTool.function.name, arguments: JSON.stringify({ code }) } };
  return messages.at(-1)?.role === "tool"
    ? { role: "assistant", content: "Cairo is 35 degrees warmer." }
    : { role: "assistant", content: null, tool_calls: [call] };
}

const interpreter = await createInterpreter();
const session = await interpreter.open();
const messages: Message[] = [{ role: "user", content: "How much warmer is Cairo than Oslo?" }];
for (;;) {
  const message = await complete(messages);
  messages.push(message);
  if (message.role !== "assistant" || !message.tool_calls) break;
  for (const { id, function: call } of message.tool_calls) {
    const { code } = JSON.parse(call.arguments) as { code: string };
    const result = await session.eval(code, { tools });
    messages.push({ role: "tool", tool_call_id: id, content: formatResult(result) });
  }
}
console.log(messages.map(({ content }) => content).join("\n"));
interpreter.dispose();
