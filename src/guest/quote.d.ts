/**
 * Beginnings of lines that the result text uses itself (`src/result-text.ts` has the same pattern; a test compares
 * them): the arrow, the cut marker, level prefixes, failure headers, positions.
 */
export declare const FRAMING: RegExp;
/** A string literal that is valid JSON and valid JavaScript, lone surrogates included. */
export declare function quote(text: string): string;
/** Names, symbols, messages: kept as they are when they print on one line, escaped otherwise, cut when long. */
export declare function oneLine(text: string, maxChars?: number): string;
/**
 * Whether a string as the whole answer is empty, does not print, or could be taken for something else. Its first line
 * stands behind the arrow, where nothing but a value can be; the others have to be unlike anything of ours.
 */
export declare function needsQuotes(text: string): boolean;
/** The largest end not above `end` that does not split a surrogate pair. */
export declare function headEnd(text: string, end: number): number;
/** The smallest start not below `start` that does not split a surrogate pair. */
export declare function tailStart(text: string, start: number): number;
/** A nested string: quoted, and beyond `maxChars` head and tail with the count of what is missing between. */
export declare function quoteBounded(text: string, maxChars: number): string;
export declare function cutMarker(count: number): string;
/** `12345` as `12,345`. */
export declare function grouped(count: number): string;
/** Head and tail of a text with a marker line between; at most `maxChars`, unless that cannot hold the marker. */
export declare function cutMiddle(text: string, maxChars: number): string;
export declare function hasLineBreak(text: string): boolean;
/** Continuation lines moved in, so that none can begin like a line of ours. */
export declare function indentRest(text: string): string;
//# sourceMappingURL=quote.d.ts.map