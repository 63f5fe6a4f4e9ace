import { answerWith, type Scenario } from "./turn.js";

interface Profile {
  readonly table: string;
  readonly rows: number;
  readonly columns: { readonly column: string; readonly kind: string }[];
}

export const ownData: Scenario = {
  id: "own-data",
  title: "Look at my own file",
  shows: "Drop a CSV or JSON file first: it becomes a tool of the agent and stays in this tab.",
  turns: [
    {
      question: "What is in the file I dropped?",
      steps: [
        `const known = ["listDatasets", "describeDataset", "loadRows", "drawChart", "publishReport"];
const mine = Object.keys(tools).filter((name) => !known.includes(name)).at(-1);
if (!mine) throw new Error("No file yet: drop a CSV or JSON file on the page first.");
const table = await tools[mine]();

const columns = Object.keys(table[0] ?? {}).map((column) => {
  const values = table.map((row) => row[column]).filter((value) => value !== null && value !== "");
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.length === values.length && numbers.length > 0) {
    const sum = numbers.reduce((total, value) => total + value, 0);
    return { column, kind: "number", min: Math.min(...numbers), mean: +(sum / numbers.length).toFixed(2), max: Math.max(...numbers) };
  }
  return { column, kind: "text", distinct: new Set(values).size, example: String(values[0]) };
});
({ table: mine, rows: table.length, columns });`,
      ],
      answer: answerWith<Profile>(({ table, rows, columns }) => {
        const numeric = columns.filter(({ kind }) => kind === "number").length;
        return `tools.${table} has ${rows} rows and ${columns.length} columns, ${numeric} of them numbers: ${columns.map(({ column }) => column).join(", ")}.`;
      }),
    },
  ],
};
