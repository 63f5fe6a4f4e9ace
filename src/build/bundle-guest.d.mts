import type { BuildOptions } from "esbuild";

export function bundleGuest(options: BuildOptions): Promise<string>;
