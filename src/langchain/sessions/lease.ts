/** What one eval has of its session for as long as its turn lasts. */
import type { Session } from "../../session/session.js";
import type { InterpreterState } from "../state/interpreter-state.js";
import type { ResultKinds } from "../tools/result-kinds.js";

export interface Lease {
  readonly session: Session;
  /** What the eval starts from; commits count on from it. */
  readonly state: InterpreterState;
  /** The session was opened for this lease, so it is not known what has paused in the meantime. */
  readonly opened: boolean;
  /** Why variables that the model may count on are missing or changed; absent when all is well. */
  readonly lost: string | undefined;
  /** Puts a session that has moved on from a state without anybody knowing it, a paused one, in this one's place. */
  adopt(moved: MovedSession): void;
  /** Keeps what the eval changed and answers what the state has to say from now on, with what is known of the tools. */
  commit(results?: ResultKinds): Promise<Committed>;
  /** The run was aborted: where no graph's state names the session, what the eval changed until then stays. */
  stop(results?: ResultKinds): Promise<void>;
  /** Ends the caller's turn. Without a commit before it, what the eval changed is forgotten. */
  release(): void;
}

export interface Committed {
  readonly state: InterpreterState;
  /** For the model, when not all went well. */
  readonly note?: string | undefined;
}

export interface MovedSession {
  readonly session: Session;
  /** What it moved on from. */
  readonly state: InterpreterState;
}
