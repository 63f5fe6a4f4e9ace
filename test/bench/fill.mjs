/**
 * Fills `{{Table title | row | column}}` in a text with the medians of `results/results.json` (of Node; a fourth part
 * names another runtime): `node test/bench/fill.mjs < template > text`. A name that is not there is an error.
 */
import { readFileSync } from "node:fs";
import { number } from "./report.mjs";

const { results } = JSON.parse(readFileSync(new URL("results/results.json", import.meta.url), "utf8"));

function lookUp(text) {
  const [title, label, column, runtime = "node"] = text.split("|").map((part) => part.trim());
  const row = results[runtime]?.find((table) => table.title === title)?.rows.find((it) => it.label === label);
  const cell = row?.cells[column];
  if (!cell) throw new Error(`The results have no ${text}.`);
  return "text" in cell ? cell.text : number(cell.median);
}

process.stdout.write(readFileSync(0, "utf8").replaceAll(/\{\{(.+?)\}\}/g, (_, text) => lookUp(text)));
