import {
  JSONParse,
  NativeError,
  NativeRangeError,
  NativeTypeError,
  StringCharCodeAt,
  StringSlice,
} from "./primordials.js";

/**
 * The one host function. Strings both ways, code-unit exact because each side escapes NUL and lone surrogates
 * (JSON does) before text crosses. The answer starts with `=` (the result follows) or `!` (JSON of
 * `{ name, message }` follows, to be thrown in the guest). `undefined` where there is nothing to say, or no room.
 */
type Host = (operation: string, argument: string, value?: unknown) => string | undefined;

let host: Host;

export function connectHost(hostFunction: Host): void {
  host = hostFunction;
}

const errorTypes = { Error: NativeError, TypeError: NativeTypeError, RangeError: NativeRangeError };

/** Asks the host synchronously. Throws a guest error where the host refuses. `value` is only ever looked at in place. */
export function askHost(operation: string, argument: string, value?: unknown): string {
  const answer = host(operation, argument, value);
  if (answer === undefined) throw new NativeError("out of memory");
  if (StringCharCodeAt(answer, 0) === 61 /* = */) return StringSlice(answer, 1);
  return refuse(answer);
}

/** Tells the host something that it answers with nothing. Throws a guest error where the host refuses. */
export function tellHost(operation: string, argument: string): void {
  const answer = host(operation, argument);
  if (answer !== undefined) refuse(answer);
}

function refuse(answer: string): never {
  const failure = JSONParse(StringSlice(answer, 1)) as { name: keyof typeof errorTypes; message: string };
  throw new (errorTypes[failure.name] ?? NativeError)(failure.message);
}
