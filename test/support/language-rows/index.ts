import { asyncRows } from "./async.js";
import { bindingRows } from "./bindings.js";
import { boundaryRows } from "./boundary.js";
import { builtinRows } from "./builtins.js";
import { consoleRows } from "./console.js";
import { errorRows } from "./errors.js";
import { moduleRows } from "./modules.js";
import { rejectionRows } from "./rejections.js";
import type { Row } from "./row.js";
import { sandboxRows } from "./sandbox.js";
import { sourceRows } from "./source.js";
import { typescriptRows } from "./typescript.js";
import { valueRows } from "./values.js";

/** What models write, and what they should read. */
export const languageRows: Readonly<Record<string, readonly Row[]>> = {
  values: valueRows,
  source: sourceRows,
  TypeScript: typescriptRows,
  bindings: bindingRows,
  waiting: asyncRows,
  errors: errorRows,
  rejections: rejectionRows,
  "values for tools": boundaryRows,
  console: consoleRows,
  sandbox: sandboxRows,
  "built-ins": builtinRows,
  modules: moduleRows,
};
