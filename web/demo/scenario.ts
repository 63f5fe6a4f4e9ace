/**
 * The scripted demo: what a model would do with these tools, without a model. The programs are real and run on real
 * rows; only the decision to write them is scripted.
 */
import { type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { ScriptedTurn } from "./scripted-model.js";

export interface ScenarioTurn {
  readonly question: string;
  readonly code: string;
}

export const moviesScenario: readonly ScenarioTurn[] = [
  {
    question: "Which genres earn the most per dollar of budget, and who directs them best?",
    code: `const { rows: total } = await tools.describeDataset({ dataset: "movies" });
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
  },
  {
    question: "And by distributor? Keep using what you have loaded.",
    code: `const distributors = rankBy("Distributor", movies, 30).slice(0, 5);
({ films: movies.length, distributors });`,
  },
];

/** What the script says next in a conversation; the answer quotes the tool's own result. */
export function nextScripted(
  messages: readonly BaseMessage[],
  scenario: readonly ScenarioTurn[] = moviesScenario,
): ScriptedTurn {
  const turns = messages.filter((message) => HumanMessage.isInstance(message)).length;
  const last = messages.at(-1);
  if (last && ToolMessage.isInstance(last)) return { text: answerFrom(last.text) };
  const turn = scenario[Math.min(turns, scenario.length) - 1];
  if (!turn) return { text: "Ask me something about the data sets." };
  return { toolCalls: [{ id: `call_${turns}`, name: "eval", args: { code: turn.code } }] };
}

function answerFrom(result: string): string {
  const value = result.slice(result.indexOf("→") + 1).trim();
  try {
    const ranking = JSON.parse(value) as Record<string, unknown>;
    const lines = Object.entries(ranking).flatMap(([title, entries]) =>
      Array.isArray(entries)
        ? [
            `${title}:`,
            ...entries.map(
              (entry: { name: string; multiple: number; films: number }) =>
                `  ${entry.name}: ${entry.multiple}x over ${entry.films} films`,
            ),
          ]
        : [],
    );
    return ["Gross per dollar of budget:", ...lines].join("\n");
  } catch {
    return `The program answered: ${result}`;
  }
}
