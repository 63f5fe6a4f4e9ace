/**
 * How everything here is measured. The contestants of one row run in the same process and take turns, round by round
 * and in a rotating order, so that whatever else the machine does hits all of them. Before that each is run until warm,
 * and so often per sample that the clock's resolution does not matter. Cells are medians with the 95th percentile.
 *
 * No imports: the same file runs in Node, workerd and Chromium.
 */

/**
 * @typedef {{ median: number, p95: number, samples: number } | { text: string }} Cell
 * @typedef {{ title: string, unit: string, note?: string, rows: { label: string, cells: Record<string, Cell> }[] }} Table
 */

const now = () => performance.now();

/** @param {number[]} values @param {number} share */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)];
  return below + (sorted[Math.ceil(at)] - below) * (at % 1);
}

/** @returns {Cell} */
export function cell(samples) {
  return { median: quantile(samples, 0.5), p95: quantile(samples, 0.95), samples: samples.length };
}

/**
 * One row: every contestant's time for one run of `run`, in milliseconds. `before` is not timed. A contestant whose
 * runs took `budgetMs` altogether sits out the rest of the rounds, but not before it has three samples.
 *
 * @param {Record<string, { run(): unknown, before?(): unknown }>} contestants
 * @returns {Promise<Record<string, Cell>>}
 */
export async function interleave(contestants, { rounds = 11, sampleMs = 8, budgetMs = 1500 } = {}) {
  const cells = {};
  const running = [];
  for (const [name, { run, before }] of Object.entries(contestants)) {
    try {
      running.push({ name, run, before, repeat: await warm(run, before, sampleMs), samples: [], spent: 0 });
    } catch (error) {
      cells[name] = { text: `fails: ${shorten(error)}` };
    }
  }
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < running.length; turn++) {
      const contestant = running[(turn + round) % running.length];
      if (contestant.samples.length >= 3 && contestant.spent > budgetMs) continue;
      const took = await time(contestant.run, contestant.before, contestant.repeat);
      contestant.samples.push(took);
      contestant.spent += took * contestant.repeat;
    }
  }
  for (const { name, samples } of running) cells[name] = cell(samples);
  return Object.fromEntries(Object.keys(contestants).map((name) => [name, cells[name]]));
}

/** Runs it until the host's compilers have seen it often, and says how many runs make a sample. */
async function warm(run, before, sampleMs) {
  const until = now() + 25 * sampleMs;
  let took = await time(run, before, 1);
  for (let runs = 1; (runs < 3 && took < 400) || (runs < 2000 && now() < until); runs++)
    took = await time(run, before, 1);
  if (before) return 1;
  // A clock of whole milliseconds has nothing to say about one run.
  let repeat = 1;
  for (; took * repeat < sampleMs && repeat < 20_000; repeat *= 2) took = await time(run, before, repeat);
  return Math.max(1, Math.min(20_000, Math.ceil(sampleMs / Math.max(took, 0.0005))));
}

async function time(run, before, repeat) {
  await before?.();
  const start = now();
  for (let index = 0; index < repeat; index++) await run();
  return (now() - start) / repeat;
}

export function shorten(error) {
  const text = String(error?.message ?? error?.name ?? error).split("\n")[0];
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** @param {number[]} values */
export function geometricMean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** Slope of the cost over the size on logarithmic scales: 1 is linear, 2 quadratic. */
export function exponent(sizes, costs) {
  const x = sizes.map(Math.log);
  const y = costs.map(Math.log);
  const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
  const [mx, my] = [mean(x), mean(y)];
  const above = x.reduce((sum, value, index) => sum + (value - mx) * (y[index] - my), 0);
  return above / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}
