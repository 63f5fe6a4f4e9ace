/** How a synchronous host service answers the guest: `=` and the result, or `!` and an error to throw there. */
export const succeed = (result: string): string => `=${result}`;

export function fail(name: "Error" | "TypeError" | "RangeError", message: string): string {
  return `!${JSON.stringify({ name, message })}`;
}
