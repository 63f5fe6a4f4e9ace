import { installBuiltins } from "./builtins/index.js";

installBuiltins();
