import { fromBase64 } from "../../src/values/base64.js";
import { durableObjectStore } from "../durable-object-store.js";
import { HttpError } from "../http-error.js";
import { jsonResponse } from "../wire-json.js";
import { readJson, snapshotPut } from "./requests.js";
import type { Route } from "./router.js";

/**
 * `/threads/{thread_id}/snapshots/{key}`: the interpreter's bytes behind a reference in the thread's state. Beyond the
 * platform's API; with it a thread moves into this object and out again, variables and functions included.
 */
export function snapshotRoutes(
  storage: DurableObjectStorage,
  requireThread: (threadId: string) => unknown,
): Route[] {
  return [
    {
      method: "GET",
      path: "/threads/:thread_id/snapshots/:key",
      handle: async ({ params }) => {
        requireThread(params["thread_id"]!);
        const stored = await durableObjectStore(storage).get(params["key"]!);
        if (!stored) throw new HttpError(404, `Snapshot ${params["key"]} not found.`);
        return new Response(stored.bytes as Uint8Array<ArrayBuffer>, {
          headers: { "content-type": "application/octet-stream", "cache-control": "no-store" },
        });
      },
    },
    {
      method: "PUT",
      path: "/threads/:thread_id/snapshots/:key",
      handle: async ({ params, request }) => {
        requireThread(params["thread_id"]!);
        const { base64 } = await readJson(request, snapshotPut);
        const bytes = fromBase64(base64);
        await durableObjectStore(storage).put(params["key"]!, bytes);
        return jsonResponse({ key: params["key"], bytes: bytes.length });
      },
    },
  ];
}
