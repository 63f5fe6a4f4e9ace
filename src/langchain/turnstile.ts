/** One at a time, in the order of arrival. */
export class Turnstile {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves when it is this caller's turn, to the function that ends it. @throws the signal's reason while waiting */
  async enter(signal?: AbortSignal): Promise<() => void> {
    const before = this.#last;
    let leave: () => void = () => {};
    const mine = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#last = before.then(() => mine);
    let giveUp: () => void = () => {};
    const aborted = new Promise<never>((_, reject) => {
      giveUp = () => reject(signal?.reason);
    });
    aborted.catch(() => {});
    if (signal?.aborted) giveUp();
    signal?.addEventListener("abort", giveUp, { once: true });
    try {
      await Promise.race([before, aborted]);
      return leave;
    } catch (error) {
      leave();
      throw error;
    } finally {
      signal?.removeEventListener("abort", giveUp);
    }
  }
}
