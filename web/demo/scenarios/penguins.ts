import { answerWith, type Scenario } from "./turn.js";

interface Species {
  readonly species: string;
  readonly birds: number;
  readonly meanMass: number;
}

export const penguins: Scenario = {
  id: "penguins",
  title: "Draw a chart of 342 penguins",
  shows: "The code hands a chart to the page. The model never sees the points, only the table of means.",
  turns: [
    {
      question: "How do flipper length and body mass of the penguin species relate?",
      steps: [
        `const penguins = (await tools.loadRows({ dataset: "penguins" }))
  .filter((bird) => bird["Body Mass (g)"] && bird["Flipper Length (mm)"])
  .map((bird) => ({ species: bird.Species, flipper: bird["Flipper Length (mm)"], mass: bird["Body Mass (g)"] }));

await tools.drawChart({
  spec: {
    title: "Penguins: flipper length against body mass",
    mark: "point",
    data: { values: penguins },
    encoding: {
      x: { field: "flipper", type: "quantitative", title: "Flipper length (mm)" },
      y: { field: "mass", type: "quantitative", title: "Body mass (g)" },
      color: { field: "species", type: "nominal", title: "Species" },
    },
  },
});

Object.entries(Object.groupBy(penguins, (bird) => bird.species)).map(([species, birds]) => ({
  species,
  birds: birds.length,
  meanMass: Math.round(birds.reduce((sum, bird) => sum + bird.mass, 0) / birds.length),
  meanFlipper: Math.round(birds.reduce((sum, bird) => sum + bird.flipper, 0) / birds.length),
}));`,
      ],
      answer: answerWith<Species[]>((means) => {
        const heaviest = [...means].sort((a, b) => b.meanMass - a.meanMass)[0]!;
        const rest = means
          .filter(({ species }) => species !== heaviest.species)
          .map(({ species, meanMass }) => `${species} ${meanMass} g`);
        return `Longer flippers go with more mass. ${heaviest.species} penguins are the heaviest: ${heaviest.meanMass} g on average, against ${rest.join(" and ")}.`;
      }),
    },
  ],
};
