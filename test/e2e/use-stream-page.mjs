/** A chat page as an app writes it: the SDK's React hook, unmodified, and nothing of ours. */
import { useStream } from "@langchain/langgraph-sdk/react";
import { createElement as h } from "react";
import { createRoot } from "react-dom/client";

function Chat() {
  const stream = useStream({ apiUrl: location.origin, assistantId: "agent", messagesKey: "messages" });
  const ask = (form) => {
    const content = form.get("question");
    void stream.submit({ messages: [{ type: "human", content }] });
  };
  return h(
    "main",
    null,
    h(
      "ol",
      { "aria-label": "Messages" },
      stream.messages.map((message, index) =>
        h(
          "li",
          { key: message.id ?? index, "data-type": message.type },
          typeof message.content === "string" ? message.content : JSON.stringify(message.content),
        ),
      ),
    ),
    h("p", { role: "status" }, stream.isLoading ? "Working" : "Ready"),
    stream.error ? h("p", { role: "alert" }, String(stream.error)) : null,
    h(
      "form",
      { action: ask },
      h("input", { name: "question", "aria-label": "Question" }),
      h("button", { type: "submit" }, "Ask"),
    ),
  );
}

createRoot(document.body.appendChild(document.createElement("div"))).render(h(Chat));
