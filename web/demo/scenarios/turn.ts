/** The shape of a scripted conversation: what a person asks, the programs a model would write, and its last words. */

export interface ScenarioTurn {
  readonly question: string;
  /** One program per step; a later step has seen the result of the one before. */
  readonly steps: readonly string[];
  /** The answer, from the text of the last result. */
  readonly answer: (result: string) => string;
}

export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** What the scenario shows, in one sentence. */
  readonly shows: string;
  readonly turns: readonly ScenarioTurn[];
}

/** What is behind the arrow of a result, without the notes after it; undefined where there is no value. */
export function valueText(result: string): string | undefined {
  const at = result.startsWith("→ ") ? 0 : result.lastIndexOf("\n→ ") + 1;
  if (at === 0 && !result.startsWith("→ ")) return undefined;
  return result.slice(at + 2).replace(/(\n\([^\n]*\))+$/, "");
}

/** The value in a result, where it is JSON. */
export function resultValue(result: string): unknown {
  try {
    return JSON.parse(valueText(result) ?? "") as unknown;
  } catch {
    return undefined;
  }
}

/** An answer from a value of the expected kind; where it is another, the result itself is quoted. */
export function answerWith<Value>(tell: (value: Value) => string): (result: string) => string {
  return (result) => {
    const value = resultValue(result);
    try {
      if (value !== undefined) return tell(value as Value);
    } catch {
      // A result of another shape: the person ran something else in between.
    }
    return `The program answered:\n${result}`;
  };
}
