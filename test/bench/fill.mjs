/**
 * The README's performance section, made of `performance.md` and the medians in `results/results.json`:
 * `node test/bench/fill.mjs` puts it in place after a full run. `{{Table title | row | column}}` is a median measured
 * in Node; a fourth part names another runtime. A name that is not there is an error.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { number } from "./report.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const readme = here("../../README.md");
const SECTION = /(\n## Performance\n\n)[\s\S]*?(\n## )/;

/** What the section has to say by the results that are committed. */
export function performanceSection() {
  const { results } = JSON.parse(readFileSync(here("results/results.json"), "utf8"));
  const lookUp = (text) => {
    const [title, label, column, runtime = "node"] = text.split("|").map((part) => part.trim());
    const table = results[runtime]?.find((it) => it.title === title);
    const cell = table?.rows.find((it) => it.label === label)?.cells[column];
    if (!cell) throw new Error(`The results have no ${text}.`);
    return "text" in cell ? cell.text : number(cell.median);
  };
  const template = readFileSync(here("performance.md"), "utf8");
  return template.replaceAll(/\{\{(.+?)\}\}/g, (_, text) => lookUp(text));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = readFileSync(readme, "utf8");
  writeFileSync(
    readme,
    text.replace(SECTION, (_, head, next) => head + performanceSection() + next),
  );
}
