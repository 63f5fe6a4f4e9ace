/** @throws {Error} when the text names a figure that the results do not have. */
export function performanceSection(): string;
