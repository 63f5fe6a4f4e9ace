import { expect, test, vi } from "vitest";
import { withThreadLock } from "../../web/thread-lock.js";

/** A promise to settle by hand. */
function pending<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

test("runs one body per thread at a time, in order, and gives back its result", async () => {
  const order: string[] = [];
  const first = pending<void>();
  const results = [
    withThreadLock("one", async () => {
      order.push("first starts");
      await first.promise;
      order.push("first ends");
      return 1;
    }),
    withThreadLock("one", async () => {
      order.push("second");
      return 2;
    }),
  ];
  expect(await withThreadLock("other", async () => 3)).toBe(3);
  first.resolve();
  expect(await Promise.all(results)).toEqual([1, 2]);
  expect(order).toEqual(["first starts", "first ends", "second"]);
});

test("gives up at once when asked to try and the thread is in use", async () => {
  const held = pending<void>();
  const started = pending<void>();
  const holder = withThreadLock("busy", async () => {
    started.resolve();
    await held.promise;
  });
  await started.promise;
  const body = vi.fn(async () => {});
  await expect(withThreadLock("busy", body, { mode: "try" })).rejects.toMatchObject({
    code: "STORE_CONFLICT",
  });
  expect(body).not.toHaveBeenCalled();
  held.resolve();
  await holder;
  expect(await withThreadLock("busy", async () => "free", { mode: "try" })).toBe("free");
});

test("takes the thread from its holder, whose signal is aborted", async () => {
  const started = pending<AbortSignal>();
  const holder = withThreadLock("stolen", (signal) => {
    started.resolve(signal);
    return new Promise<void>(() => {});
  });
  const signal = await started.promise;
  // Listened to before it happens: the holder is told before the taker has finished.
  const told = expect(holder).rejects.toMatchObject({
    code: "STORE_CONFLICT",
    message: expect.stringContaining("taken over"),
  });
  expect(await withThreadLock("stolen", async () => "mine", { mode: "take" })).toBe("mine");
  await told;
  expect(signal.aborted).toBe(true);
});

test("passes on what the body throws, an AbortError too", async () => {
  const error = new DOMException("stopped", "AbortError");
  await expect(withThreadLock("error", () => Promise.reject(error))).rejects.toBe(error);
});

test("stops waiting when its signal is aborted", async () => {
  const held = pending<void>();
  const holder = withThreadLock("waiting", () => held.promise);
  const controller = new AbortController();
  const waiting = withThreadLock("waiting", async () => {}, { signal: controller.signal });
  controller.abort(new Error("no longer needed"));
  await expect(waiting).rejects.toThrow("no longer needed");
  held.resolve();
  await holder;
});

test("runs at once where there are no Web Locks", async () => {
  vi.stubGlobal("navigator", {});
  expect(await withThreadLock("none", async () => 1)).toBe(1);
  vi.unstubAllGlobals();
});
