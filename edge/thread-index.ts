import { check, indexChange, indexPage, readJson } from "./routes/requests.js";
import type { Route } from "./routes/router.js";
import { jsonResponse } from "./wire-json.js";

/**
 * Which threads there are: table `agent_index` of the shared object, newest last. Only ids; what a thread is called and
 * how it stands is asked of the thread, so the two can never disagree. Only the Worker entry reaches these routes.
 */
export function indexRoutes(sql: SqlStorage): Route[] {
  const createTable = () =>
    sql.exec(
      "CREATE TABLE IF NOT EXISTS agent_index (n INTEGER PRIMARY KEY AUTOINCREMENT, thread_id TEXT NOT NULL UNIQUE)",
    );
  return [
    {
      method: "POST",
      path: "/index",
      handle: async ({ request }) => {
        const { add, remove } = await readJson(request, indexChange);
        createTable();
        for (const id of add) sql.exec("INSERT OR IGNORE INTO agent_index (thread_id) VALUES (?)", id);
        for (const id of remove) sql.exec("DELETE FROM agent_index WHERE thread_id = ?", id);
        return new Response(null, { status: 204 });
      },
    },
    {
      method: "GET",
      path: "/index",
      handle: ({ query }) => {
        createTable();
        const { limit, offset } = check(Object.fromEntries(query), indexPage);
        const rows = sql.exec<{ thread_id: string }>(
          "SELECT thread_id FROM agent_index ORDER BY n DESC LIMIT ? OFFSET ?",
          limit,
          offset,
        );
        return jsonResponse(rows.toArray().map((row) => row.thread_id));
      },
    },
  ];
}
