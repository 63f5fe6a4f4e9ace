import { answerWith, type Scenario } from "./turn.js";

export const report: Scenario = {
  id: "report",
  title: "Ask before publishing",
  shows:
    "The program stops in the middle of a line until a person approves, even if the page is reloaded meanwhile.",
  turns: [
    {
      question: "Summarise the cars by origin and publish the summary as a report.",
      steps: [
        `const cars = await tools.loadRows({ dataset: "cars" });
const summary = Object.entries(Object.groupBy(cars, (car) => car.Origin)).map(([origin, group]) => ({
  origin,
  cars: group.length,
  horsepower: Math.round(group.reduce((sum, car) => sum + (car.Horsepower ?? 0), 0) / group.length),
}));
console.log("summary ready, asking to publish");

const published = await tools.publishReport({
  title: "Cars by origin, 1970 to 1982",
  text: summary.map(({ origin, cars, horsepower }) => \`\${origin}: \${cars} cars, \${horsepower} hp\`).join("\\n"),
});
({ published, summary });`,
      ],
      answer: answerWith<{ published: { title: string; characters: number } }>(
        ({ published }) => `Published "${published.title}" with ${published.characters} characters.`,
      ),
    },
  ],
};
