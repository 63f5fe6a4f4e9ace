/** More streams at once gain little and cost a quarter of a megabyte each. */
const LANES = 4;

/** Does the work for every item, a few at a time. After a failure no further item is begun. */
export async function inLanes<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const index = next++;
      try {
        await work(items[index]!, index);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(LANES, items.length) }, lane));
}
