/** A tool `stop` that aborts the run it is called in, and never answers. */
import { tool } from "@langchain/core/tools";
import { z } from "zod/v4";

export function abortingTool() {
  let controller = new AbortController();
  const stop = tool(
    () => {
      controller.abort(new Error("stopped"));
      return new Promise<string>(() => {});
    },
    { name: "stop", description: "", schema: z.object({}) },
  );
  /** The signal of the next run. */
  const nextSignal = (): AbortSignal => {
    controller = new AbortController();
    return controller.signal;
  };
  return { stop, nextSignal };
}
