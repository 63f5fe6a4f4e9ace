/** The public names. A name that goes or comes is a change that users see: it belongs into the changelog. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { moduleGraph, type PackageJson } from "./module-graph.js";

const { directory } = inject("packed");
const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as PackageJson;

test("each entry exports what is listed here", () => {
  const names = Object.entries(manifest.exports).flatMap(([entry, target]) =>
    typeof target === "string"
      ? []
      : [[entry, exportedNames(readFileSync(join(directory, target["types"] as string), "utf8"))] as const],
  );
  expect(Object.fromEntries(names)).toMatchInlineSnapshot(`
    {
      ".": [
        "EngineError",
        "InterpreterError",
        "ProtocolError",
        "SessionError",
        "SnapshotError",
        "StoreError",
        "createCodeInterpreterMiddleware",
        "deleteThreadSnapshots",
        "memoryStore",
        "type ApprovalCall",
        "type ApprovalDecision",
        "type CodeInterpreterMiddleware",
        "type CodeInterpreterOptions",
        "type EngineSource",
        "type ErrorCode",
        "type EvalTool",
        "type FailureCode",
        "type GuestError",
        "type InterpreterEvent",
        "type InterruptOn",
        "type InterruptOnConfig",
        "type MemoryStoreOptions",
        "type PersistenceMode",
        "type PtcEntry",
        "type SnapshotLayers",
        "type SnapshotRetention",
        "type SnapshotStore",
        "type StoreEntry",
        "type StorePutOptions",
        "type StoreStatus",
        "type StoreSupport",
        "type StoredSnapshot",
        "type ToolErrorPolicy",
        "type WrapToolCall",
      ],
      "./core": [
        "CallHeld",
        "DEFAULT_LIMITS",
        "EngineError",
        "InterpreterError",
        "ProtocolError",
        "SessionError",
        "SnapshotError",
        "StoreError",
        "createInterpreter",
        "formatResult",
        "inspectSnapshot",
        "memoryStore",
        "type CallDecision",
        "type CallEvent",
        "type Capacity",
        "type EngineSource",
        "type ErrorCode",
        "type EvalCompleted",
        "type EvalFailed",
        "type EvalFailure",
        "type EvalOptions",
        "type EvalPaused",
        "type EvalResult",
        "type EvalStatistics",
        "type FailureCode",
        "type HostCallContext",
        "type HostFunction",
        "type HostFunctionSource",
        "type HostFunctions",
        "type Interpreter",
        "type InterpreterOptions",
        "type Limits",
        "type LogLine",
        "type MemoryStoreOptions",
        "type ModuleLoader",
        "type ModuleSource",
        "type PausedCall",
        "type ResponseLike",
        "type ResultTextOptions",
        "type ResumeOptions",
        "type Session",
        "type SnapshotInspection",
        "type SnapshotLayers",
        "type SnapshotOptions",
        "type SnapshotStore",
        "type SnapshotVariable",
        "type SourceFrame",
        "type StoreEntry",
        "type StorePutOptions",
        "type StoreStatus",
        "type StoreSupport",
        "type StoredSnapshot",
        "type Timekeeper",
        "type Tombstone",
      ],
      "./edge": [
        "AgentObject",
        "DurableObjectSaver",
        "bearerToken",
        "durableObjectStore",
        "installAsyncLocalStorage",
        "isLoopback",
        "routeAgentRequest",
        "type AgentLike",
        "type AgentParts",
        "type Authorize",
        "type AuthorizeTarget",
        "type DurableObjectSaverOptions",
        "type DurableObjectStoreOptions",
        "type RouteAgentOptions",
      ],
      "./quickjs.wasm": [],
      "./testing": [
        "storeContract",
        "type StoreCase",
        "type StoreContractOptions",
        "type StoreUnderTest",
      ],
      "./web": [
        "BrowserDatabase",
        "IndexedDBSaver",
        "indexedDBStore",
        "installSynchronousLocalStorage",
        "nodeWorker",
        "pageWorker",
        "type DatabaseOptions",
        "type Endpoint",
        "type IndexedDBSaverOptions",
        "type IndexedDBStoreOptions",
        "type NodeWorker",
        "type SessionWorker",
        "type ThreadLockOptions",
        "type WorkerInterpreterOptions",
        "withThreadLock",
        "workerInterpreter",
      ],
      "./web/session-host": [
        "browserEndpoint",
        "hostSession",
        "nodeEndpoint",
        "type Endpoint",
      ],
      "./web/session-worker": [],
    }
  `);
});

test("no declaration that a user can reach says `any`", () => {
  const types = Object.values(manifest.exports).flatMap((target) =>
    typeof target === "string" ? [] : [(target["types"] as string).slice(2)],
  );
  for (const file of moduleGraph(directory, types).files) {
    const code = readFileSync(join(directory, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
    expect.soft(/.*[:<|(,=] *any\b.*/.exec(code)?.[0], file).toBeUndefined();
  }
});

function exportedNames(declarations: string): string[] {
  const declared = [...declarations.matchAll(/^export declare (?:function|class|const) (\w+)/gm)];
  const types = [...declarations.matchAll(/^export (?:type|interface) (\w+)/gm)];
  const listed = [...declarations.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, type, list = ""]) =>
    list
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "")
      .map((name) => (type ? `type ${name}` : name)),
  );
  if (/export \*/.test(declarations)) listed.push("*");
  return [...declared.map(([, name]) => name), ...types.map(([, name]) => `type ${name}`), ...listed]
    .map(String)
    .sort();
}
