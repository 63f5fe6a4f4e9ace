import { installAbort } from "./abort.js";
import { installBase64 } from "./base64.js";
import { installClock } from "./clock.js";
import { installDOMException } from "./dom-exception.js";
import { installEvents } from "./events.js";
import { installFromAsync } from "./from-async.js";
import { installIntl } from "./intl.js";
import { installIteratorReturn } from "./iterator-return.js";
import { installLocaleMethods } from "./locale-methods.js";
import { installQueueMicrotask } from "./microtask.js";
import { installRandom } from "./random.js";
import { installSizeGuards } from "./size-guards.js";
import { installStructuredClone } from "./structured-clone.js";
import { installTextEncoding } from "./text-encoding.js";
import { installURL } from "./url.js";
import { installURLSearchParams } from "./url-search-params.js";

/** Defines on `globalThis` what this engine lacks of the language and of the web, and replaces what it has wrong. */
export function installBuiltins(): void {
  installDOMException();
  installQueueMicrotask();
  installStructuredClone();
  installTextEncoding();
  installBase64();
  installURLSearchParams();
  installURL();
  installEvents();
  installAbort();
  installFromAsync();
  installIteratorReturn();
  installRandom();
  installClock();
  installIntl();
  installLocaleMethods();
  installSizeGuards();
}
