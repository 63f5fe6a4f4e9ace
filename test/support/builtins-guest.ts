/** The built-ins in a bare engine with the real host services: no session, no codec, results as JSON. */
import { bundleGuest } from "../../src/build/bundle-guest.mjs";
import { answerHostService, type HostEnvironment } from "../../src/host-services/index.js";
import { openStockEngine } from "./stock-engine.js";

const entry = `
  import { connectHost } from "./host.js";
  import { installProxy } from "./proxies.js";
  import { installBuiltins } from "./builtins/index.js";
  import { reseed } from "./builtins/random.js";
  const host = globalThis.host;
  delete globalThis.host;
  globalThis.namesBefore = Object.getOwnPropertyNames(globalThis);
  connectHost((operation, argument) => operation === "reseed" ? "=" : host(operation, argument));
  installProxy();
  installBuiltins();
  Object.defineProperty(globalThis, "reseedForTest", { value: reseed });
`;

let bundled: Promise<string> | undefined;
const bundle = () => {
  bundled ??= bundleGuest({
    stdin: {
      contents: entry,
      resolveDir: new URL("../../src/guest", import.meta.url).pathname,
      loader: "ts",
    },
  });
  return bundled;
};

export interface BuiltinsGuest {
  /**
   * Evaluates an expression or program, awaits its value and answers it as JSON would have it; `undefined` stays. An
   * error is answered as the text `Name: message`.
   */
  run(source: string): unknown;
  /** Host services asked so far. */
  readonly asked: string[];
}

export async function openBuiltins(environment: HostEnvironment = {}): Promise<BuiltinsGuest> {
  const { runtime, context } = openStockEngine();
  const asked: string[] = [];
  const host = context.newFunction("host", (operation, argument) => {
    const name = context.getString(operation);
    asked.push(name);
    return context.newString(answerHostService(name, context.getString(argument), environment) ?? "!{}");
  });
  context.setProp(context.global, "host", host);
  host.dispose();
  context.unwrapResult(context.evalCode(await bundle(), "prelude.js")).dispose();
  context
    .unwrapResult(
      context.evalCode(`{
        const { stringify } = JSON, text = String;
        globalThis.showForTest = (value) => value === undefined ? "undefined" : stringify(value);
        globalThis.failForTest = (error) => stringify(error instanceof Error ? error.name + ": " + error.message : "thrown " + text(error));
      }`),
    )
    .dispose();
  const show = context.getProp(context.global, "showForTest");
  const fail = context.getProp(context.global, "failForTest");
  const text = (f: typeof show, value: typeof show): unknown => {
    const shown = context.unwrapResult(context.callFunction(f, context.undefined, value));
    const json = context.getString(shown);
    shown.dispose();
    value.dispose();
    return json === "undefined" ? undefined : JSON.parse(json);
  };
  return {
    asked,
    run(source) {
      const started = context.evalCode(source, "eval-1.js", 1 << 7);
      if (started.error !== undefined) return text(fail, started.error);
      const promise = started.value;
      runtime.executePendingJobs().dispose();
      const state = context.getPromiseState(promise);
      promise.dispose();
      if (state.type === "pending") return "(pending)";
      if (state.type === "rejected") return text(fail, state.error);
      const value = context.getProp(state.value, "value");
      state.value.dispose();
      return text(show, value);
    },
  };
}
