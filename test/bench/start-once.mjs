// One peer in a process of its own: `node --expose-gc start-once.mjs cold|hold PEER`. Prints one line of JSON.
import { loaders } from "./peers/in-node.mjs";

const [task, name] = process.argv.slice(2);
const start = performance.now();
const peer = await loaders[name]();
const session = await peer.open();
const value = await session.eval("1 + 1");
const cold = performance.now() - start;
if (value !== 2) throw new Error(`${name}: 1 + 1 is ${value}`);

if (task === "cold") {
  console.log(JSON.stringify({ cold }));
} else {
  const sessions = 100;
  globalThis.gc();
  const before = process.memoryUsage().rss;
  const began = performance.now();
  const held = [];
  for (let index = 0; index < sessions; index++) {
    const one = await peer.open();
    await one.eval("globalThis.x = 1");
    held.push(one);
  }
  const took = performance.now() - began;
  globalThis.gc();
  const each = (process.memoryUsage().rss - before) / sessions;
  console.log(JSON.stringify({ took, each, held: held.length }));
}
process.exit(0);
