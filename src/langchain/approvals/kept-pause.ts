/**
 * What is kept of an eval while it is paused, under keys made of its session's name: the record, and its heap in one
 * of two slots in turn, so that the last heap is there until the record names the next one.
 */
import { InterpreterError } from "../../errors.js";
import type { Interpreter } from "../../interpreter.js";
import type { Session } from "../../session/session.js";
import type { Seal } from "../../session/session-state.js";
import { fromText, type Serializer, toText } from "../serialized-text.js";
import type { PausePlace } from "./pause-places.js";
import { decodeRecord, encodeRecord, type PauseRecord } from "./pause-record.js";

export interface KeptPauseContext {
  readonly place: PausePlace;
  readonly session: string;
  readonly signingKey: Seal["signingKey"];
  readonly maxBytes: number;
  readonly interpreter: () => Promise<Interpreter>;
  readonly serde: Serializer;
}

export class KeptPause<Attachment> {
  readonly #context: KeptPauseContext;

  constructor(context: KeptPauseContext) {
    this.#context = context;
  }

  /** @throws {SnapshotError} for bytes that are no record, are altered, or are another session's. */
  async read(): Promise<PauseRecord | undefined> {
    const { place, session, serde } = this.#context;
    const bytes = await place.get(session);
    return bytes && decodeRecord(bytes, serde, this.#seal);
  }

  async write(record: PauseRecord): Promise<void> {
    const { place, session, serde } = this.#context;
    await place.put(session, await encodeRecord(record, serde, this.#seal));
  }

  /** Keeps the session's heap with what belongs to it. Answers why it could not be kept, when it is too large. */
  async putHeap(session: Session, slot: number, attachment: Attachment): Promise<string | undefined> {
    const { place, maxBytes, serde } = this.#context;
    const image = await session.snapshot({ ...this.#seal, attachment: await toText(attachment, serde) });
    if (image.length > maxBytes)
      return `its variables take ${image.length} bytes, more than maxSnapshotBytes (${maxBytes})`;
    await place.put(this.#heapKey(slot), image);
    return undefined;
  }

  /** @throws {InterpreterError} when it is gone, cannot be read, or there is no room for it. */
  async restore({ slot }: PauseRecord): Promise<Session> {
    const { place, interpreter } = this.#context;
    const image = await place.get(this.#heapKey(slot));
    if (!image) throw new InterpreterError("SNAPSHOT_MISSING", "what was kept of it is gone.");
    return (await interpreter()).restore(image, this.#seal);
  }

  attachmentOf(session: Session): Promise<Attachment> {
    return fromText(String(session.attachment), this.#context.serde);
  }

  /** The record stays. A failure costs only room. */
  async dropHeaps(): Promise<void> {
    await Promise.all([0, 1].map((slot) => this.#context.place.delete(this.#heapKey(slot)))).catch(() => {});
  }

  get #seal(): Seal {
    return { binding: `${this.#context.session}/pause`, signingKey: this.#context.signingKey };
  }

  #heapKey(slot: number): string {
    return `${this.#context.session}-heap-${slot}`;
  }
}
