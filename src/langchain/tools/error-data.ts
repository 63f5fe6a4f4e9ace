/** The data of a tool's failure that code may branch on: plain, and nothing of the host in it. */

/** What code may branch on: data that the error carries for this purpose, or its code and status. */
export function dataOf(error: unknown): unknown {
  if (typeof error !== "object" || error === null) return undefined;
  if (!(error instanceof Error)) return plain(error);
  const { data, code, status, cause } = error as Error & Record<string, unknown>;
  const own = plain(data) ?? mcpData(error, cause);
  if (own !== undefined) return own;
  const facts = { code: scalar(code), status: scalar(status) };
  const known = Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
  return Object.keys(known).length > 0 ? known : undefined;
}

/** An MCP tool's error result: structured content where the adapter kept it, else JSON in its text. */
function mcpData(error: Error, cause: unknown): unknown {
  if (error.name !== "ToolException") return undefined;
  if (typeof cause === "object" && cause !== null && "isError" in cause) {
    const { structuredContent, content } = cause as { structuredContent?: unknown; content?: unknown };
    if (structuredContent !== undefined) return plain(structuredContent);
    const texts = Array.isArray(content) ? content.map((block: { text?: unknown }) => block?.text) : [];
    const [only] = texts.filter((text) => typeof text === "string");
    return parsedObject(only);
  }
  return parsedObject(/returned an error: ([\s\S]*)$/.exec(error.message)?.[1]);
}

function parsedObject(text: unknown): unknown {
  if (typeof text !== "string" || !text.trim().startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function scalar(value: unknown): string | number | undefined {
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

/** A copy that holds nothing of the host: what JSON cannot hold is no data. */
function plain(value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  try {
    const text = JSON.stringify(value);
    return text === undefined || text.length > 100_000 ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
