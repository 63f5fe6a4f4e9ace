/**
 * The demo's data: real data sets of the npm package `vega-datasets`, served as static files. How they are fetched is
 * the caller's business: a tab uses `fetch`, a Worker its assets binding, a test the file system.
 */

export type Row = Readonly<Record<string, string | number | null>>;
/** The text of `data/<file>`. */
export type ReadFile = (file: string) => Promise<string>;

export interface DataSet {
  readonly name: string;
  readonly file: string;
  readonly description: string;
}

export const dataSets: readonly DataSet[] = [
  {
    name: "movies",
    file: "movies.json",
    description: "Films with genre, director, budget, gross and ratings",
  },
  {
    name: "cars",
    file: "cars.json",
    description: "Cars from 1970 to 1982 with origin, power and consumption",
  },
  {
    name: "penguins",
    file: "penguins.json",
    description: "Penguins of three species with body measurements",
  },
  {
    name: "countries",
    file: "gapminder.json",
    description: "Population, life expectancy and fertility, 1955 to 2005",
  },
];

/** Reads each file once. */
export class DataLibrary {
  readonly #read: ReadFile;
  readonly #rows = new Map<string, Promise<readonly Row[]>>();
  readonly #added = new Map<string, { description: string; rows: readonly Row[] }>();

  constructor(read: ReadFile) {
    this.#read = read;
  }

  /** A person's own table; it stays where it was added. */
  add(name: string, description: string, rows: readonly Row[]): void {
    this.#added.set(name, { description, rows });
  }

  remove(name: string): void {
    this.#added.delete(name);
  }

  /** A person's tables, each with the name of the tool that answers its rows. */
  get own(): { name: string; toolName: string; description: string }[] {
    return [...this.#added].map(([name, { description }]) => ({
      name,
      toolName: `load_${name}`,
      description,
    }));
  }

  get list(): { name: string; description: string }[] {
    const added = [...this.#added].map(([name, { description }]) => ({ name, description }));
    return [...dataSets.map(({ name, description }) => ({ name, description })), ...added];
  }

  rows(name: string): Promise<readonly Row[]> {
    const added = this.#added.get(name);
    if (added) return Promise.resolve(added.rows);
    const set = dataSets.find((candidate) => candidate.name === name);
    if (!set) {
      throw new Error(
        `There is no data set "${name}". There are: ${this.list.map((entry) => entry.name).join(", ")}.`,
      );
    }
    let rows = this.#rows.get(name);
    if (!rows) {
      rows = this.#read(set.file).then((text) => JSON.parse(text) as Row[]);
      this.#rows.set(name, rows);
      rows.catch(() => this.#rows.delete(name));
    }
    return rows;
  }
}
