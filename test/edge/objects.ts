import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { SqlObjectStorage } from "../../edge/sql-storage.js";
import type { TestObject } from "./worker.js";

declare global {
  namespace Cloudflare {
    interface Env {
      OBJECTS: DurableObjectNamespace<TestObject>;
    }
  }
}

export function objectStub(name: string): DurableObjectStub<TestObject> {
  return env.OBJECTS.get(env.OBJECTS.idFromName(name));
}

/** Runs `body` inside the test object of that name. */
export function inObject<Result>(
  name: string,
  body: (storage: DurableObjectStorage) => Promise<Result>,
): Promise<Result> {
  return runInDurableObject(objectStub(name), (_object, state) => body(state.storage));
}

export interface FailingStorage extends SqlObjectStorage {
  /** Lets the statements from the `after`th on throw, those that write or those that read, until the function is called. */
  fail(operation: "read" | "write", error: Error, after?: number): () => void;
}

/** The storage with statements that can be made to throw, which inside a transaction rolls it back. */
export function failingStorage(storage: DurableObjectStorage): FailingStorage {
  let failure: { operation: "read" | "write"; error: Error; left: number } | undefined;
  const sql = new Proxy(storage.sql, {
    get(target, property) {
      if (property !== "exec") return Reflect.get(target, property, target);
      return (query: string, ...bindings: unknown[]) => {
        const operation = /^\s*SELECT/i.test(query) ? "read" : "write";
        if (failure?.operation === operation && failure.left-- <= 0) throw failure.error;
        return target.exec(query, ...bindings);
      };
    },
  });
  return {
    sql,
    transactionSync: (body) => storage.transactionSync(body),
    sync: () => storage.sync(),
    fail(operation, error, after = 0) {
      failure = { operation, error, left: after };
      return () => {
        failure = undefined;
      };
    },
  };
}
