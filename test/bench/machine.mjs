/** What the numbers were taken on. */
import { readFileSync } from "node:fs";
import os from "node:os";
import { versions } from "./peers/in-node.mjs";

export async function describeMachine() {
  const cpus = os.cpus();
  const load = os.loadavg().map((value) => value.toFixed(1));
  return {
    cpu: cpus[0]?.model ?? "unknown",
    cores: cpus.length,
    memoryGB: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release().split("-")[0]} ${os.arch()}${inContainer() ? ", in a container" : ""}`,
    node: process.version,
    v8: process.versions.v8,
    loadBefore: load.join(" "),
    packages: await versions(),
  };
}

function inContainer() {
  try {
    return /docker|containerd|kubepods|lxc/.test(readFileSync("/proc/1/cgroup", "utf8"));
  } catch {
    return false;
  }
}

export const machineLine = (machine) =>
  `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGB} GB, ${machine.system}; Node ${machine.node} (V8 ${machine.v8}); load before the run ${machine.loadBefore}. ` +
  Object.entries(machine.packages)
    .map(([name, version]) => `${name} ${version}`)
    .join(", ");
