import { expect, test } from "vitest";
import { shareWork } from "../../src/shared-work.js";

/** Timers that the test fires itself. */
function manualTime() {
  const waiting = new Set<() => void>();
  const time = {
    now: () => 0,
    after: (_ms: number, callback: () => void) => {
      waiting.add(callback);
      return () => waiting.delete(callback);
    },
  };
  return { time, waiting };
}

test("work is done once for all that ask for it at the same time, and for those that come later", async () => {
  const { time, waiting } = manualTime();
  const share = shareWork<object>(time);
  let times = 0;
  const work = async () => {
    times += 1;
    return { times };
  };
  const [first, second] = await Promise.all([share(work), share(work)]);
  expect(first).toBe(second);
  expect(await share(work)).toBe(first);
  expect([times, waiting.size]).toEqual([1, 0]);
});

test("work that a caller took with it is done again after a while, and its result is everybody's", async () => {
  const { time, waiting } = manualTime();
  const share = shareWork<string>(time);
  void share(() => new Promise(() => {}));
  const second = share(async () => "again");
  await expect.poll(() => waiting.size).toBe(1);
  for (const callback of waiting) callback();
  expect(await second).toBe("again");
  expect(await share(async () => "once more")).toBe("again");
});

test("the first result counts, also where the work was done twice", async () => {
  const { time, waiting } = manualTime();
  const share = shareWork<string>(time);
  let finish = (_: string) => {};
  const slow = share(() => new Promise((resolve) => (finish = resolve)));
  const second = share(async () => "second");
  await expect.poll(() => waiting.size).toBe(1);
  for (const callback of waiting) callback();
  expect(await second).toBe("second");
  finish("slow");
  expect(await slow).toBe("second");
});

test("a failure is told to those that waited for it, and is forgotten", async () => {
  const share = shareWork<string>(manualTime().time);
  const failing = () => Promise.reject(new Error("not yet"));
  const both = await Promise.allSettled([share(failing), share(failing)]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await share(async () => "now")).toBe("now");
});
