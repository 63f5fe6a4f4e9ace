import { DurableObject } from "cloudflare:workers";

/** An empty SQLite-backed object: tests reach its storage with `runInDurableObject`. */
export class TestObject extends DurableObject {}

export default { fetch: () => new Response("test worker") };
