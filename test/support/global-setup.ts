import type { TestProject } from "vitest/node";
import { makePortableSession, type PortableSession } from "./portable-session.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Made in Node, for the tests in every runtime. */
    fromNode: PortableSession;
  }
}

export default async function setup({ provide }: TestProject): Promise<void> {
  provide("fromNode", await makePortableSession());
}
