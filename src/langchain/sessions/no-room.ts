/** The one failure to load a session that says nothing about what was kept of it: others take all the memory now. */
import { InterpreterError } from "../../errors.js";

export function isNoRoom(error: unknown): error is InterpreterError & { code: "SESSION_NO_ROOM" } {
  return InterpreterError.isInstance(error) && error.code === "SESSION_NO_ROOM";
}

/** For a `catch` that takes everything else for lost. @throws what it is given when there was only no room */
export function unlessNoRoom(error: unknown): undefined {
  if (isNoRoom(error)) throw error;
  return undefined;
}

/** Nothing of an eval ran; the message is for the model. */
export class NotRun extends Error {}

/** For a `catch` around what happens before anything runs. @throws NotRun when there was no room, else what it is given */
export function orNotRun(error: unknown): never {
  throw isNoRoom(error) ? new NotRun(notRun(error.message)) : error;
}

export const notRun = (reason: string): string =>
  `This eval did not run. ${reason} Variables are as they were before it.`;
