/** Which pages may call. Without an entry only pages of the Worker's own origin. */

const EXPOSED = "content-location, location, x-pagination-total, x-pagination-next";

export interface Cors {
  /** False for a page that is neither of this origin nor allowed: such a request is not served at all. */
  readonly allowed: boolean;
  readonly headers: Record<string, string>;
}

export function cors(request: Request, allowedOrigins: readonly string[]): Cors {
  const origin = request.headers.get("origin");
  if (origin === null || origin === new URL(request.url).origin) return { allowed: true, headers: {} };
  if (!allowedOrigins.includes(origin) && !allowedOrigins.includes("*"))
    return { allowed: false, headers: { vary: "origin" } };
  return {
    allowed: true,
    headers: {
      vary: "origin",
      "access-control-allow-origin": origin,
      "access-control-expose-headers": EXPOSED,
    },
  };
}

export function preflightResponse(request: Request, { allowed, headers }: Cors): Response {
  if (!allowed) return new Response(null, { status: 403, headers });
  return new Response(null, {
    status: 204,
    headers: {
      ...headers,
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
      "access-control-allow-headers": request.headers.get("access-control-request-headers") ?? "*",
      "access-control-max-age": "86400",
    },
  });
}
