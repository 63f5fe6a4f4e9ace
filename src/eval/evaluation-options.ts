/** What one eval is given by its session. */

import type { Timekeeper } from "../clock.js";
import type { HeapLayout } from "../engine/heap.js";
import type { Vm } from "../engine/vm.js";
import type { Limits } from "../limits.js";
import type { LogLine } from "../result/outcome.js";
import type { BridgeOptions } from "./bridge.js";
import type { HostFunctions } from "./host-functions.js";
import type { CallEvent } from "./running-call.js";

export interface EvaluationOptions {
  readonly vm: Vm;
  readonly layout: HeapLayout;
  readonly limits: Limits;
  readonly time: Timekeeper;
  readonly tools?: HostFunctions | undefined;
  readonly globals?: HostFunctions | undefined;
  /** What static imports stand for; absent where there are no modules. */
  readonly imports?: readonly (readonly [specifier: string, key: string])[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly isAborted?: (() => boolean) | undefined;
  readonly captureConsole: boolean;
  /** False when nothing the session ever ran has to do with promises. */
  readonly usesPromises: boolean;
  readonly returns: "value" | "content" | "text";
  readonly isGated?: BridgeOptions["isGated"];
  readonly describeError: (error: unknown, name: string) => unknown;
  readonly onCall?: ((event: CallEvent) => void) | undefined;
  readonly onLog?: ((line: LogLine) => void) | undefined;
  /** Asked before the session's memory grows, within its own limit. */
  readonly mayGrow?: (bytes: number) => boolean;
  /** Synchronous services of the host: `url`, `intl`, `clock`. Answers encoded for the guest. */
  readonly service: (operation: string, argument: string) => string | undefined;
}

/** A module as the guest gets it; see `ModuleDefinition`. */
export interface GuestModule {
  readonly key: string;
  readonly code: string;
  readonly imports: readonly (readonly [specifier: string, key: string])[];
  /** The name the engine knows it by. */
  readonly file: string;
}
