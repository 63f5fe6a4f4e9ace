import { type Plan, type RowRequest, runPlan } from "../../src/langchain/savers/checkpoint-rows.js";
import { MemoryRows } from "../../src/langchain/savers/memory-rows.js";
import {
  type CheckpointSaverOptions,
  RowCheckpointSaver,
} from "../../src/langchain/savers/row-checkpoint-saver.js";

/** The shared saver on rows in memory, which also counts what it asks for. */
export class MemoryRowSaver extends RowCheckpointSaver {
  readonly rows = new MemoryRows();
  readonly requests: RowRequest[] = [];

  constructor(options: CheckpointSaverOptions = {}) {
    super(options);
  }

  protected override async transact<Result>(_mode: unknown, plan: Plan<Result>): Promise<Result> {
    return runPlan(plan, (request) => {
      this.requests.push(request);
      return this.rows.answer(request);
    });
  }
}
