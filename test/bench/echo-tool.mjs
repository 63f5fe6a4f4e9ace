/** The LangChain tool that all bridges call: a schema, one field, an answer at once. */
import { tool } from "@langchain/core/tools";
import { z } from "zod";

export const echo = tool(async ({ text }) => text, {
  name: "echo",
  description: "Answers the text it is given.",
  schema: z.object({ text: z.string() }),
});
