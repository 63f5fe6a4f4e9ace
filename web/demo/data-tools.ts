import { type DynamicStructuredTool, tool } from "@langchain/core/tools";
import { z } from "zod/v4";
import type { DataLibrary, Row } from "./data-sets.js";

/** Rows one call of `load_rows` may return. */
const MAX_ROWS = 1000;

/** Told on the custom stream, for people who watch. */
export interface RowsLoaded {
  readonly type: "demo_rows";
  readonly dataset: string;
  readonly rows: number;
}

/** The demo agent's tools: what there is, what it looks like, the rows, and one tool for each table of a person. */
export function createDataTools(library: DataLibrary): DynamicStructuredTool[] {
  const dataset = z.string().describe("Name of a data set, as list_datasets gives it");
  const listDatasets = tool(
    async () =>
      Promise.all(
        library.list.map(async (entry) => ({ ...entry, rows: (await library.rows(entry.name)).length })),
      ),
    {
      name: "list_datasets",
      description: "Lists the data sets with their number of rows.",
      schema: z.object({}),
    },
  );
  const describeDataset = tool(
    async (input: { dataset: string }) => {
      const rows = await library.rows(input.dataset);
      return { dataset: input.dataset, rows: rows.length, columns: describeColumns(rows) };
    },
    {
      name: "describe_dataset",
      description: "The columns of a data set: type, number of missing values, range or examples.",
      schema: z.object({ dataset }),
    },
  );
  const loadRows = tool(
    async (input: { dataset: string; offset: number; limit: number }, config) => {
      const rows = (await library.rows(input.dataset)).slice(input.offset, input.offset + input.limit);
      const loaded: RowsLoaded = { type: "demo_rows", dataset: input.dataset, rows: rows.length };
      (config as { writer?: (event: RowsLoaded) => void }).writer?.(loaded);
      return rows;
    },
    {
      name: "load_rows",
      description: `Rows of a data set as objects, at most ${MAX_ROWS} per call.`,
      schema: z.object({
        dataset,
        offset: z.number().int().min(0).default(0),
        limit: z.number().int().min(1).max(MAX_ROWS).default(MAX_ROWS),
      }),
    },
  );
  const own = library.own.map(({ name, toolName, description }) =>
    tool(() => library.rows(name), { name: toolName, description, schema: z.object({}) }),
  );
  return [listDatasets, describeDataset, loadRows, ...own] as unknown as DynamicStructuredTool[];
}

function describeColumns(rows: readonly Row[]): Record<string, unknown>[] {
  return Object.keys(rows[0] ?? {}).map((name) => {
    const present = rows
      .map((row) => row[name])
      .filter((value) => value !== null && value !== undefined && value !== "");
    const numbers = present.filter((value): value is number => typeof value === "number");
    const missing = rows.length - present.length;
    if (numbers.length > 0 && numbers.length === present.length) {
      const [min, max] = numbers.reduce(
        ([low, high], n) => [Math.min(low, n), Math.max(high, n)],
        [Infinity, -Infinity],
      );
      return { name, type: "number", missing, min, max };
    }
    const examples = [...new Set(present)].slice(0, 4);
    return { name, type: "string", missing, examples };
  });
}
