export const builtInNames: readonly string[] = [];
