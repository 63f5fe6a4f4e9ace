/** A table of routes, matched by segment. An unknown path is 404, a known path with another method 405. */
import { errorResponse, HttpError } from "../http-error.js";

export interface RouteContext {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

export interface Route {
  readonly method: string;
  /** Segments; one that begins with `:` matches any and is named. */
  readonly path: string;
  readonly handle: (context: RouteContext) => Response | Promise<Response>;
}

export function createRouter(routes: readonly Route[]): (request: Request) => Promise<Response> {
  const table = routes.map((route) => ({ ...route, segments: route.path.split("/") }));
  return async (request) => {
    try {
      const url = new URL(request.url);
      const segments = url.pathname.replace(/\/$/, "").split("/");
      const matches = table.flatMap((route) => {
        const params = match(route.segments, segments);
        return params ? [{ route, params }] : [];
      });
      const found = matches.find(({ route }) => route.method === request.method);
      if (found) return await found.route.handle({ request, params: found.params, query: url.searchParams });
      const allowed = [...new Set(matches.map(({ route }) => route.method))];
      if (allowed.length === 0)
        throw new HttpError(404, `There is no ${request.method} ${url.pathname} here.`);
      throw new HttpError(405, `${url.pathname} does not take ${request.method}.`, {
        allow: allowed.join(", "),
      });
    } catch (error) {
      return errorResponse(error);
    }
  };
}

function match(pattern: readonly string[], path: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== path.length) return undefined;
  const params: Record<string, string> = Object.create(null);
  for (const [index, expected] of pattern.entries()) {
    const actual = path[index]!;
    if (expected.startsWith(":") && actual !== "") params[expected.slice(1)] = decode(actual);
    else if (expected !== actual) return undefined;
  }
  return params;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new HttpError(400, `The path segment ${JSON.stringify(segment)} is not valid.`);
  }
}
