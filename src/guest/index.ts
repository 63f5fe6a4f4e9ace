/**
 * The prelude: the guest's half of this package. Evaluates to a function that takes the one host function and answers
 * with the one control function. Everything else it makes is reachable only through the globals it defines.
 */
import { exportBindings, importBindings, listVariables, rememberOwnGlobals } from "./bindings.js";
import { readClock } from "./builtins/clock.js";
import { installBuiltins } from "./builtins/index.js";
import { reseed } from "./builtins/random.js";
import { installConsole } from "./console.js";
import { describeThrown, encodeReport } from "./describe-error.js";
import { begin, declare, end, watch } from "./evaluation.js";
import { installFanOut } from "./fan-out.js";
import { connectHost, tellHost } from "./host.js";
import { defineModule, moduleKeys } from "./modules.js";
import { settle } from "./pending.js";
import { JSONParse, JSONStringify } from "./primordials.js";
import { installUnawaited } from "./promises.js";
import { installProxy } from "./proxies.js";
import { fire, installTimers } from "./timers.js";
import { installCalledTools } from "./tools.js";

function control(operation: string, argument: string, value?: unknown): string {
  switch (operation) {
    case "begin":
      begin(argument);
      return "";
    case "declare":
      return declare(JSONParse(argument) as string[]);
    case "watch":
      watch(value as Promise<unknown>);
      return "";
    case "settle":
      settle(argument);
      return "";
    case "fire":
      fire(+argument);
      return "";
    case "end":
      return end();
    case "describe":
      return encodeReport(describeThrown(value));
    case "module":
      defineModule(argument, value);
      return "";
    case "modules":
      return moduleKeys();
    case "variables":
      return listVariables();
    case "export":
      return exportBindings();
    case "import":
      return importBindings(argument);
    case "reseed":
      reseed(argument);
      return "";
    default:
      return "";
  }
}

export function install(host: Parameters<typeof connectHost>[0]): typeof control {
  connectHost(host);
  installProxy();
  installBuiltins();
  installTimers();
  installFanOut();
  installUnawaited();
  installCalledTools();
  installConsole(
    (level, text) => {
      tellHost("log", `${level}\n${JSONStringify(text)}`);
    },
    { now: readClock },
  );
  rememberOwnGlobals();
  return control;
}
