/** Who may reach which thread. */

export interface AuthorizeTarget<Env> {
  readonly env: Env;
  /** The thread the request is about; undefined for `/assistants`, `/info` and searches. */
  readonly threadId: string | undefined;
}

/** True lets the request through, false is 401, a response is sent as it is. */
export type Authorize<Env> = (
  request: Request,
  target: AuthorizeTarget<Env>,
) => boolean | Response | Promise<boolean | Response>;

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

export const isLoopback = (request: Request): boolean => LOOPBACK.has(new URL(request.url).hostname);

let warned = false;

/**
 * Asks for `env.AUTH_TOKEN`, as `Authorization: Bearer ...` or as the SDK's `x-api-key`. Without a token configured,
 * requests to a loopback address are let through, loudly, and all others are refused.
 */
export async function bearerToken<Env>(request: Request, { env }: AuthorizeTarget<Env>): Promise<boolean> {
  const expected = (env as { AUTH_TOKEN?: unknown }).AUTH_TOKEN;
  if (typeof expected === "string" && expected !== "") {
    const bearer = /^Bearer +(.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    const given = bearer ?? request.headers.get("x-api-key");
    return given !== null && given !== undefined && (await sameText(given, expected));
  }
  if (!isLoopback(request)) return false;
  if (!warned)
    console.warn("AUTH_TOKEN is not set: everyone who reaches this loopback address may use the agent.");
  warned = true;
  return true;
}

/** Compares digests, so that neither time nor length says how much of a guess was right. */
async function sameText(a: string, b: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const [left, right] = await Promise.all(
    [a, b].map((text) => crypto.subtle.digest("SHA-256", encoder.encode(text))),
  );
  return crypto.subtle.timingSafeEqual(left!, right!);
}
