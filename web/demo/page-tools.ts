/** Tools whose effect a person sees: a chart on the page, and a report that is only published with an approval. */
import { type DynamicStructuredTool, tool } from "@langchain/core/tools";
import { z } from "zod/v4";

/** Goes out on the custom stream, never into the conversation. */
export interface ChartEvent {
  readonly type: "playground_chart";
  /** Of the tool call that draws, which begins with the id of its eval. */
  readonly callId: string;
  readonly spec: unknown;
}

interface ToolConfig {
  readonly writer?: (chunk: unknown) => void;
  readonly toolCall?: { readonly id?: string };
}

export function createPageTools(): DynamicStructuredTool[] {
  const drawChart = tool(
    (input: { spec: Record<string, unknown> }, config) => {
      const { writer, toolCall } = config as unknown as ToolConfig;
      const event: ChartEvent = { type: "playground_chart", callId: toolCall?.id ?? "", spec: input.spec };
      writer?.(event);
      return "drawn";
    },
    {
      name: "draw_chart",
      description:
        "Draws a chart for the person. A small Vega-Lite specification: mark bar, line, area or point, data.values, encoding x, y and color.",
      schema: z.object({
        spec: z.looseObject({ mark: z.unknown(), data: z.unknown(), encoding: z.unknown() }),
      }),
    },
  );
  const publishReport = tool(
    (input: { title: string; text: string }) => ({ title: input.title, characters: input.text.length }),
    {
      name: "publish_report",
      description: "Publishes a report. A person has to approve it.",
      schema: z.object({ title: z.string(), text: z.string() }),
    },
  );
  return [drawChart, publishReport] as unknown as DynamicStructuredTool[];
}
