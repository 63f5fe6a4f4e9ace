import { fail, succeed } from "./answer.js";

const components = [
  "href",
  "origin",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
] as const;
const settable: ReadonlySet<string> = new Set(components.filter((name) => name !== "origin"));

interface Request {
  readonly url?: unknown;
  readonly base?: unknown;
  readonly set?: unknown;
  readonly value?: unknown;
}

/**
 * Parses a URL, or sets one component of it, with the host's own `URL`. Answers its components as JSON, `null`
 * where there is no such URL. Nothing is fetched.
 */
export function urlService(argument: string): string {
  const { url, base, set, value } = JSON.parse(argument) as Request;
  if (typeof url !== "string" || (base !== undefined && typeof base !== "string"))
    return fail("TypeError", "URL: the address and its base must be strings");
  let parsed: URL;
  try {
    parsed = base === undefined ? new URL(url) : new URL(url, base);
    if (typeof set === "string" && settable.has(set) && typeof value === "string")
      parsed[set as "href"] = value;
  } catch {
    return succeed("null");
  }
  return succeed(JSON.stringify(Object.fromEntries(components.map((name) => [name, parsed[name]]))));
}
