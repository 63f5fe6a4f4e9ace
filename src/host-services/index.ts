export function answerHostService(
  operation: string,
  argument: string,
  env: { clock?: () => number },
): string | undefined {
  void operation;
  void argument;
  void env;
  return undefined;
}
