import { answerWith, type Scenario } from "./turn.js";

interface Ranked {
  readonly name: string;
  readonly films: number;
  readonly multiple: number;
}

const leader = ([first, ...others]: readonly Ranked[]) => {
  const next = others.slice(0, 2).map(({ name, multiple }) => `${name} (${multiple}x)`);
  return `**${first!.name}** leads with ${first!.multiple}x over ${first!.films} films, ahead of ${next.join(" and ")}.`;
};

export const movies: Scenario = {
  id: "movies",
  title: "Analyse 3,201 films",
  shows:
    "The rows stay in the workspace. The model reads a ranking, and the next question finds them still there.",
  turns: [
    {
      question: "Which genres earn the most per dollar of budget, and who directs them best?",
      steps: [
        `const { rows: total } = await tools.describeDataset({ dataset: "movies" });
const pages = Array.from({ length: Math.ceil(total / 1000) }, (_, page) => page * 1000);
const movies = (await Promise.all(pages.map((offset) =>
  tools.loadRows({ dataset: "movies", offset, limit: 1000 }),
))).flat();
console.log(\`\${movies.length} films loaded in \${pages.length} parallel calls\`);

function rankBy(key, films, minimum = 20) {
  const groups = Object.groupBy(
    films.filter((film) => film[key] && film["Production Budget"] > 0 && film["Worldwide Gross"] > 0),
    (film) => film[key],
  );
  return Object.entries(groups)
    .filter(([, group]) => group.length >= minimum)
    .map(([name, group]) => {
      const sum = (column) => group.reduce((total, film) => total + film[column], 0);
      return { name, films: group.length, multiple: +(sum("Worldwide Gross") / sum("Production Budget")).toFixed(2) };
    })
    .sort((a, b) => b.multiple - a.multiple);
}

({ genres: rankBy("Major Genre", movies).slice(0, 5), directors: rankBy("Director", movies, 5).slice(0, 5) });`,
      ],
      answer: answerWith<{ genres: Ranked[]; directors: Ranked[] }>(
        ({ genres, directors }) =>
          `Gross per dollar of budget, by genre: ${leader(genres)}\n\nAmong directors: ${leader(directors)}`,
      ),
    },
    {
      question: "And by distributor? Keep using what you have loaded.",
      steps: [
        `const distributors = rankBy("Distributor", movies, 30).slice(0, 5);
({ films: movies.length, distributors });`,
      ],
      answer: answerWith<{ films: number; distributors: Ranked[] }>(
        ({ films, distributors }) =>
          `Nothing had to be loaded again: the ${films} films and the function rankBy were still there.\n\nAmong distributors: ${leader(distributors)}`,
      ),
    },
  ],
};
