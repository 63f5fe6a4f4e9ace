/** What a store does with bytes: it keeps them, whatever their size, and shares them with nobody. */
import { assertBytes, assertEqual, assertThat, MiB, pattern } from "./assert.js";
import type { StoreCase, StoreUnderTest } from "./store-under-test.js";

const sizes = [0, 1, MiB - 1, MiB, MiB + 1, 5 * MiB];

export const valueCases: readonly StoreCase[] = [
  {
    title: "gives undefined for a key that was never written",
    async run({ store }) {
      assertEqual(await store.get("nothing"), undefined, "get");
      assertEqual((await store.list()).length, 0, "number of entries");
    },
  },
  {
    title: "gives back what was written, with the version that put returned",
    async run({ store }) {
      const version = await store.put("key", pattern(100));
      const stored = await store.get("key");
      assertBytes(stored?.bytes, pattern(100));
      assertEqual(stored?.version, version, "version");
    },
  },
  {
    title: "overwrites unconditionally when no version is named",
    async run({ store }) {
      const first = await store.put("key", pattern(100, 1));
      const second = await store.put("key", pattern(50, 2));
      assertThat(first !== second, "both puts gave the same version");
      assertBytes((await store.get("key"))?.bytes, pattern(50, 2));
      assertEqual((await store.list()).length, 1, "number of entries");
    },
  },
  ...sizes.map((size) => ({
    title: `keeps a value of ${size} bytes`,
    async run({ store }: StoreUnderTest) {
      await store.put("key", pattern(size, 1));
      assertBytes((await store.get("key"))?.bytes, pattern(size, 1));
      assertEqual((await store.list())[0]?.size, size, "listed size");
      // A second value of another size finds leftovers of the first one.
      await store.put("key", pattern(Math.floor(size / 2), 2));
      assertBytes((await store.get("key"))?.bytes, pattern(Math.floor(size / 2), 2));
    },
  })),
  {
    title: "copies bytes on the way in, before put returns",
    async run({ store }) {
      const bytes = pattern(2000);
      const written = store.put("key", bytes);
      bytes.fill(0);
      await written;
      assertBytes((await store.get("key"))?.bytes, pattern(2000));
    },
  },
  {
    title: "copies bytes on the way out",
    async run({ store }) {
      await store.put("key", pattern(2000));
      (await store.get("key"))?.bytes.fill(0);
      assertBytes((await store.get("key"))?.bytes, pattern(2000));
    },
  },
  {
    title: "stores only the view it is given, not the buffer behind it",
    async run({ store }) {
      await store.put("key", pattern(5000).subarray(1000, 1100));
      const stored = await store.get("key");
      assertBytes(stored?.bytes, pattern(5000).subarray(1000, 1100));
      assertEqual(stored?.bytes.buffer.byteLength, 100, "size of the returned buffer");
    },
  },
];
