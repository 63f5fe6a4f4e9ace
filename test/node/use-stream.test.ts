/** The SDK's React hook, unmodified, over HTTP. */
import { useStream } from "@langchain/langgraph-sdk/react";
import { act, createElement } from "react";
import { create, type ReactTestRenderer } from "react-test-renderer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EdgeServer, startEdgeServer } from "../bench/edge-server.mjs";

let server: EdgeServer;

beforeAll(async () => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  server = await startEdgeServer();
}, 30_000);

afterAll(() => server.dispose());

interface State extends Record<string, unknown> {
  messages: { type: string; content: string }[];
}
type Stream = ReturnType<typeof useStream<State>>;

/** A page that shows what `useStream` gives it, and reports it at every render. */
function Chat({ apiUrl, report }: { apiUrl: string; report: (stream: Stream) => void }) {
  const stream = useStream<State>({ apiUrl, assistantId: "agent", messagesKey: "messages" });
  report(stream);
  return createElement("p", null, String(stream.messages.at(-1)?.content ?? ""));
}

function renderChat() {
  let current: Stream | undefined;
  let renderer: ReactTestRenderer | undefined;
  const report = (stream: Stream) => {
    current = stream;
  };
  act(() => {
    renderer = create(createElement(Chat, { apiUrl: server.url, report }));
  });
  const text = () => {
    const tree = renderer!.toJSON();
    return tree && !Array.isArray(tree) ? (tree.children ?? []).join("") : "";
  };
  return { text, stream: () => current!, unmount: () => act(() => renderer!.unmount()) };
}

const say = (content: string) => ({ messages: [{ type: "human", content }] });

test("the hook shows what the agent answers", async () => {
  const chat = renderChat();
  await act(() => chat.stream().submit(say("one two three")));
  expect(chat.text()).toBe("You said: one two three");
  expect(chat.stream().isLoading).toBe(false);
  expect(chat.stream().error).toBeUndefined();
  expect(chat.stream().messages.map((message) => message.type)).toEqual(["human", "ai"]);
  chat.unmount();
}, 30_000);

test("the hook shows a question and sends the answer", async () => {
  const chat = renderChat();
  await act(() => chat.stream().submit(say('call ask {"question":"really?"}')));
  expect(chat.stream().interrupt?.value).toEqual({ question: "really?" });
  await act(() => chat.stream().submit(undefined, { command: { resume: "yes" } }));
  expect(chat.text()).toBe('I have the result: answer: "yes"');
  expect(chat.stream().interrupt).toBeUndefined();
  chat.unmount();
}, 30_000);

test("the hook stops a run", async () => {
  const chat = renderChat();
  let submitted = Promise.resolve();
  await act(async () => {
    submitted = chat.stream().submit(say('call wait {"label":"never"}')) as Promise<void>;
  });
  await act(async () => {
    await chat.stream().stop();
    await submitted;
  });
  expect(chat.stream().isLoading).toBe(false);
  chat.unmount();
}, 30_000);
