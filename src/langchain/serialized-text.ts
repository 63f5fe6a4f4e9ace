/** LangGraph's own serializer, for text: what tools write and ask may hold messages and other objects of LangChain. */
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

export type Serializer = BaseCheckpointSaver["serde"];

export async function toText(value: unknown, serde: Serializer): Promise<string> {
  const [type, bytes] = await serde.dumpsTyped(value);
  return JSON.stringify([type, new TextDecoder().decode(bytes)]);
}

export async function fromText<T>(text: string, serde: Serializer): Promise<T> {
  const [type, data] = JSON.parse(text) as [string, string];
  return (await serde.loadsTyped(type, data)) as T;
}
