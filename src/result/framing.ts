/**
 * Beginnings of lines that only the result text itself writes; see `result-text.ts`. The prelude has the same
 * pattern (`src/guest/quote.ts`), because nothing is shared between the two sides; a test compares them.
 */
export const FRAMING: RegExp =
  /^(?:→|… \[|\[(?:log|warn|error)\] |Uncaught |Thrown: |(?:Timeout|Wait timeout|Out of memory|Stack overflow|Aborted|Session rebuilt|Never settled|Paused): |[\w$.]*(?:Error|Exception): | {2}at (?:\S+ \()?(?:eval \d|module \S))/m;

/** Whether a console line would read like one of ours; a line in parentheses reads like a note. */
export function isFraming(line: string): boolean {
  return FRAMING.test(line) || /^\(.*\)\s*$/.test(line);
}
