/** Messages that a person's own cell brings into a thread have ids that begin so. */
export const CELL_PREFIX = "cell-";
