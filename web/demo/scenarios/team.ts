import { answerWith, type Scenario } from "./turn.js";

interface Verdict {
  readonly genre: string;
  readonly films: number;
  readonly medianMultiple: number;
  readonly best: string;
}

export const team: Scenario = {
  id: "team",
  title: "Send out six analysts",
  shows:
    "One program starts six subagents at once, each with a workspace of its own, and joins their findings.",
  turns: [
    {
      question: "Have a team of analysts judge six genres side by side. Where would you put your money?",
      steps: [
        `const genres = ["Action", "Adventure", "Comedy", "Drama", "Horror", "Thriller/Suspense"];
const verdicts = await Promise.all(genres.map(async (genre) => {
  const answer = await task({
    description: \`Judge the genre "\${genre}" in the data set movies. Answer with JSON.\`,
    subagentType: "analyst",
    label: genre,
  });
  return JSON.parse(answer);
}));
verdicts.sort((a, b) => b.medianMultiple - a.medianMultiple);`,
      ],
      answer: answerWith<Verdict[]>(([first, ...others]) => {
        const last = others.at(-1)!;
        return `${first!.genre}: half of its ${first!.films} films earned at least ${first!.medianMultiple}x their budget, the best was ${first!.best}. ${last.genre} comes last with a median of ${last.medianMultiple}x.`;
      }),
    },
  ],
};

/** What the scripted analyst runs for a genre. */
export function analystProgram(genre: string): string {
  return `const pages = await Promise.all([0, 1000, 2000, 3000].map((offset) =>
  tools.loadRows({ dataset: "movies", offset, limit: 1000 }),
));
const films = pages.flat()
  .filter((film) => film["Major Genre"] === ${JSON.stringify(genre)} && film["Production Budget"] > 0 && film["Worldwide Gross"] > 0)
  .map((film) => ({ title: film.Title, multiple: film["Worldwide Gross"] / film["Production Budget"] }))
  .sort((a, b) => b.multiple - a.multiple);
({
  genre: ${JSON.stringify(genre)},
  films: films.length,
  medianMultiple: +films[films.length >> 1].multiple.toFixed(2),
  best: String(films[0].title),
});`;
}
