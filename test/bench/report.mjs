/** Tables as text for a terminal and as markdown for `results/results.md`. */

/** @param {import("./measure.mjs").Cell | undefined} cell */
function show(cell, unit) {
  if (!cell) return "";
  if ("text" in cell) return cell.text;
  const spread = cell.samples > 1 ? ` (${number(cell.p95)})` : "";
  return `${number(cell.median)}${spread}${unit === "ms" ? "" : ""}`;
}

export function number(value) {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 0.1 ? 2 : 3;
  return value.toFixed(digits);
}

function columnsOf(table) {
  const names = new Set();
  for (const row of table.rows) for (const name of Object.keys(row.cells)) names.add(name);
  return [...names];
}

/** @param {import("./measure.mjs").Table} table */
export function asMarkdown(table, heading = "###") {
  const columns = columnsOf(table);
  const spread = table.rows.some((row) => Object.values(row.cells).some((cell) => cell.samples > 1));
  const lines = [
    `${heading} ${table.title}`,
    "",
    `${table.unit}${spread ? "; median (95th percentile)" : ""}. ${table.note ?? ""}`.trim(),
    "",
    `| | ${columns.join(" | ")} |`,
    `|---|${columns.map(() => "---:|").join("")}`,
  ];
  for (const { label, cells } of table.rows)
    lines.push(`| ${label} | ${columns.map((name) => show(cells[name], table.unit)).join(" | ")} |`);
  return lines.join("\n");
}

export function asText(table) {
  const columns = columnsOf(table);
  const rows = [
    ["", ...columns],
    ...table.rows.map((row) => [row.label, ...columns.map((name) => show(row.cells[name], table.unit))]),
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) =>
    row
      .map((text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column])))
      .join("  "),
  );
  return `\n${table.title} [${table.unit}]\n${lines.join("\n")}`;
}

export function verdictsAsMarkdown(verdicts) {
  return [
    "| Goal | Found | |",
    "|---|---:|---|",
    ...verdicts.map(
      ({ goal, found, reached }) => `| ${goal} | ${found} | ${reached ? "reached" : "**missed**"} |`,
    ),
  ].join("\n");
}
