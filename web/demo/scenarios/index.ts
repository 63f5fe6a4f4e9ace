import { loop } from "./loop.js";
import { movies } from "./movies.js";
import { ownData } from "./own-data.js";
import { penguins } from "./penguins.js";
import { report } from "./report.js";
import { team } from "./team.js";
import type { Scenario } from "./turn.js";

/** Plain data and texts: the page lists them before any of the agent is loaded. */
export const scenarios: readonly Scenario[] = [movies, penguins, team, report, loop, ownData];
