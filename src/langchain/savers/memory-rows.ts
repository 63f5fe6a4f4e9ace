import type { Row, RowAnswer, RowKey, RowPrefix, RowRequest } from "./checkpoint-rows.js";

/** Rows in memory: what a saver falls back to where the place it wants is not to be had. A plan on it cannot fail half-way. */
export class MemoryRows {
  readonly #rows = new Map<string, Row>();

  readonly answer = (request: RowRequest): RowAnswer => {
    switch (request.type) {
      case "get":
        return request.keys.map((key) => {
          const row = this.#rows.get(JSON.stringify(key));
          return row && { ...row, body: row.body.slice() };
        });
      case "keys":
        return this.#matching(request.prefix);
      case "last":
        return this.#matching(request.prefix).at(-1);
      case "put":
        for (const row of request.rows) this.#rows.set(JSON.stringify(row.key), row);
        return undefined;
      case "delete":
        for (const prefix of request.prefixes)
          for (const key of this.#matching(prefix)) this.#rows.delete(JSON.stringify(key));
        return undefined;
    }
  };

  #matching(prefix: RowPrefix): RowKey[] {
    const keys = [...this.#rows.values()].map((row) => row.key);
    return keys.filter((key) => prefix.every((part, index) => key[index] === part)).sort(compareKeys);
  }
}

function compareKeys(left: RowKey, right: RowKey): number {
  for (const [index, part] of left.entries()) {
    const other = right[index]!;
    if (part !== other) return part < other ? -1 : 1;
  }
  return 0;
}
