import { answerWith, type Scenario } from "./turn.js";

export const loop: Scenario = {
  id: "loop",
  title: "Survive an endless loop",
  shows:
    "A program that never ends is stopped; the page keeps responding, and what was loaded before is still there.",
  turns: [
    {
      question: "How many years did each country take to reach a life expectancy of 70?",
      steps: [
        `const countries = await tools.loadRows({ dataset: "countries" });
const byCountry = Object.groupBy(countries, (row) => row.country);
console.log(\`\${Object.keys(byCountry).length} countries loaded\`);

let year = 1955;
while (year <= 2005) {
  for (const rows of Object.values(byCountry)) rows.find((row) => row.year === year);
  // The year is never advanced.
}`,
        `// byCountry is still there from the eval that was stopped.
const reached = Object.entries(byCountry).flatMap(([country, rows]) => {
  const row = rows.find(({ life_expect }) => life_expect >= 70);
  return row ? [{ country, year: row.year, years: row.year - 1955 }] : [];
});
({ reached: reached.length, of: Object.keys(byCountry).length, last: reached.sort((a, b) => b.years - a.years).slice(0, 5) });`,
      ],
      answer: answerWith<{ reached: number; of: number; last: { country: string; year: number }[] }>(
        ({ reached, of, last }) =>
          `My first program looped for ever and was stopped. With what it had loaded: ${reached} of ${of} countries reached 70 years by 2005, ${last[0]!.country} as the last one, in ${last[0]!.year}.`,
      ),
    },
  ],
};
