import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { chromiumLaunch } from "./support/chromium.js";

/** Files that run unchanged in Node, in workerd and in Chromium. */
const everywhere = ["test/{core,hardening}/**/*.test.ts"];
/** Of the middleware's files; all others run in Chromium too. */
const nodeOnly = [
  // They read files.
  "test/langchain/{demo,playground-place}.test.ts",
  // They run the TypeScript compiler.
  "test/langchain/{prompt,signatures}.test.ts",
  // The clients of MCP start processes, its server listens.
  "test/langchain/mcp.test.ts",
  // SQLite, and a stand-in for IndexedDB; test/web has the savers of a tab.
  "test/langchain/{persistence-identity,saver-graph}.test.ts",
];
const root = new URL("..", import.meta.url).pathname;
const source = (path: string) => `${root}${path}`;
/** `#engine-wasm` is what package.json's `imports` picks per runtime; here it points at the source. */
const engine = (file: string) => ({ "#engine-wasm": source(`src/engine-wasm/${file}`) });

/** A limit on hangs, far above what any test takes on a busy machine: time decides no test. */
const patience = { testTimeout: 60_000, hookTimeout: 60_000 };
const propertySeed = source("test/support/property-seed.ts");

export default defineConfig({
  root,
  test: {
    retry: 0,
    // Every core: of two, Vitest would by itself leave one idle.
    maxWorkers: "100%",
    globalSetup: [source("test/support/global-setup.ts")],
    projects: [
      {
        root,
        resolve: { alias: engine("embedded.ts") },
        test: {
          ...patience,
          name: "node",
          include: [...everywhere, "test/{node,langchain,stores}/**/*.test.ts"],
          setupFiles: [propertySeed],
        },
      },
      {
        // The whole middleware suite once more as a tab has it: nothing may lean on what is around a call.
        root,
        resolve: { alias: engine("embedded.ts") },
        test: {
          ...patience,
          name: "no-async-context",
          include: ["test/langchain/**/*.test.ts"],
          setupFiles: [propertySeed, source("test/support/without-async-context.ts")],
        },
      },
      {
        root,
        test: {
          // Bundlers, runtimes and compilers of their own: a case may take a while on a busy machine.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          name: "package",
          include: ["test/package/**/*.test.ts"],
          globalSetup: [source("test/package/pack.ts")],
        },
      },
      {
        root,
        resolve: { alias: engine("workerd.ts") },
        plugins: [
          cloudflareTest({
            main: source("test/edge/worker.ts"),
            miniflare: {
              cf: false,
              compatibilityDate: "2026-04-26",
              compatibilityFlags: ["nodejs_compat", "enable_request_signal"],
              // As wrangler does; Vite would make an instance of the file.
              modulesRules: [{ type: "CompiledWasm", include: ["**/*.wasm"] }],
              durableObjects: {
                OBJECTS: { className: "TestObject", useSQLite: true },
                AGENTS: { className: "TestAgent", useSQLite: true },
              },
            },
          }),
        ],
        test: {
          ...patience,
          name: "workerd",
          include: [...everywhere, "test/edge/**/*.test.ts"],
          setupFiles: [propertySeed],
        },
      },
      {
        root,
        resolve: { alias: engine("embedded.ts") },
        define: { "process.platform": '"linux"', "process.env": "{}" },
        // Found late, a dependency makes Vite reload the page in the middle of a test.
        optimizeDeps: {
          include: [
            "@langchain/core/**",
            "@langchain/langgraph",
            "@langchain/langgraph-checkpoint",
            "@langchain/langgraph-checkpoint-validation",
            "idb",
            "deepagents",
            "fast-check",
            "langchain",
            "zod",
            "zod/v4",
          ],
        },
        test: {
          ...patience,
          name: "chromium",
          include: [...everywhere, "test/{web,langchain}/**/*.test.ts"],
          exclude: nodeOnly,
          setupFiles: [propertySeed],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: chromiumLaunch }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
    ],
  },
});
