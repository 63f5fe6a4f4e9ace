import { AgentPlace } from "./place.js";
import { createWorkerPort } from "./worker-port.js";

export const createWorkerPlace = (): AgentPlace => new AgentPlace(createWorkerPort());
