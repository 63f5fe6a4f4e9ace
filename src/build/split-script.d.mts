export function splitScript(code: string, partChars: number): string[];
