/** `run`: a runner with its limits raised to what the cases need. Every run is a new context in a worker thread. */
import { createRunner } from "run";

export const name = "run";

export async function prepare() {}

const limits = {
  timeoutMs: 60_000,
  maxBridgeRequests: 100_000,
  maxInFlightBridgeRequests: 20_000,
  maxSourceBytes: 8 * 1024 * 1024,
  maxResultBytes: 16 * 1024 * 1024,
  maxHostFunctionArgumentsBytes: 16 * 1024 * 1024,
  maxHostFunctionOutputBytes: 16 * 1024 * 1024,
};

export async function open({ tools } = {}) {
  const runner = createRunner({ limits });
  const hostFunctions = tools ? { tools } : undefined;
  const run = async (source) => {
    const result = await runner.run({ source, hostFunctions });
    if (result.status !== "completed") throw new Error(result.status);
    return result.value;
  };
  return {
    eval: (source) => run(`return ${source}`),
    compute: run,
    computeAsync: run,
    dispose() {},
  };
}

export const features = ["tools", "values"];
