import { describeCheckpointSaver } from "../contract/saver.js";
import { ObjectSaver } from "./object-saver.js";

describeCheckpointSaver("DurableObjectSaver", () => new ObjectSaver(crypto.randomUUID()));
