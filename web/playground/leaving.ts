/** Why a run ends when its thread is no longer looked at: it is not stopped, and goes on when somebody looks again. */
export const LEFT: DOMException = new DOMException("The thread was left.", "AbortError");

/** What stands in the conversation instead of an answer when a person stopped the run. */
export const STOPPED = "Stopped.";

/** What the model reads instead of the result of a program that a person stopped. */
export const STOPPED_CALL = "Stopped by the person.";
