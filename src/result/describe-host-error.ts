/** Name, message and `data` of an error; never its stack or its cause. */
export function describeHostError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const described = Object.assign(new Error(error.message), { name: error.name });
  if ("data" in error) Object.assign(described, { data: error.data });
  return described;
}
