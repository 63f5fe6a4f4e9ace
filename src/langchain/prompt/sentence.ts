/** One claim of the prompt. The id stays when the words change: tests know sentences by it. */
export interface Sentence {
  readonly id: string;
  readonly text: string;
}
