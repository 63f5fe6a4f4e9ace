/** What guest code asks of the host while it runs: one text for an operation, answered at once. */

import { classId, type HeapLayout } from "../engine/heap.js";
import type { Address, Vm } from "../engine/vm.js";
import type { Bridge } from "./bridge.js";
import { type HostFunctionSource, missingToolText } from "./host-functions.js";
import type { TimerQueue } from "./timer-queue.js";

/** What of an eval the guest's requests are about. */
export interface RequestedOf {
  readonly vm: Vm;
  readonly layout: HeapLayout;
  readonly tools: HostFunctionSource;
  readonly bridge: Bridge;
  readonly timers: TimerQueue;
  /** Synchronous services of the host: `url`, `intl`, `clock`. Answers encoded for the guest. */
  readonly service: (operation: string, argument: string) => string | undefined;
  log(level: string, text: string): void;
  /** The program's report of its end; see `readReport`. */
  done(report: string): void;
  unhandled(report: unknown): void;
}

/**
 * Answers the one host function: `=` and a text, `!` and JSON of an error, or nothing. Never throws: an exception must
 * not cross the engine's frames.
 */
export function answerRequest(of: RequestedOf, operation: string, argument: string, value: Address): string {
  try {
    return dispatch(of, operation, argument, value);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return `!${JSON.stringify({ name, message })}`;
  }
}

function dispatch(of: RequestedOf, operation: string, argument: string, value: Address): string {
  const { vm, layout, tools } = of;
  switch (operation) {
    case "call":
      of.bridge.request(argument, vm.bytes.take());
      return "";
    case "unhandled":
      of.unhandled(JSON.parse(argument));
      return "";
    case "log": {
      const mark = argument.indexOf("\n");
      of.log(argument.slice(0, mark), JSON.parse(argument.slice(mark + 1)) as string);
      return "";
    }
    case "done":
      of.done(argument);
      return "";
    case "timer": {
      const [id, delay] = argument.split(" ");
      of.timers.start(Number(id), Number(delay));
      return "";
    }
    case "timer-clear":
      of.timers.stop(Number(argument));
      return "";
    case "tools":
      return `=${JSON.stringify(tools.names())}`;
    case "has-tool":
      return tools.get(argument) ? "=1" : "=0";
    case "no-tool":
      return `=${tools.missing?.(argument) ?? missingToolText(argument, tools.names())}`;
    case "is-promise":
      return classId(vm, value) === layout.promiseClass ? "=1" : "=0";
    case "is-proxy":
      return classId(vm, value) === layout.proxyClass ? "=1" : "=0";
    default: {
      const answer = of.service(operation, argument);
      if (answer === undefined) throw new Error(`unknown request ${operation}`);
      return answer;
    }
  }
}
