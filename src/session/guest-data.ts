/** The guest's variables as a list for readers, and as plain data that any later version can read. */

import type { Vm } from "../engine/vm.js";
import { VmDamaged } from "../engine/vm-errors.js";
import { SnapshotError } from "../errors.js";
import { isShortage } from "../eval/guest-entry.js";
import type { SnapshotVariable } from "../snapshot/content.js";
import type { Tombstone } from "./session-state.js";

/** Largest first; undefined where the memory is so full that not even a list of them can be made. */
export function variablesOf(vm: Vm): SnapshotVariable[] | undefined {
  return readInRoom(vm, () => {
    const variables = JSON.parse(vm.control("variables", "")) as SnapshotVariable[];
    return variables.sort((a, b) => b.size - a.size);
  });
}

/** The variables as text, and the bytes that it names; undefined where there is no room to make it. */
export function exportData(
  vm: Vm,
): { readonly data: string; readonly bytes: readonly Uint8Array<ArrayBuffer>[] } | undefined {
  const data = readInRoom(vm, () => vm.control("export", ""));
  return data === undefined ? undefined : { data, bytes: vm.bytes.take() };
}

/**
 * Answers the variables that could not be brought back.
 *
 * @throws {SnapshotError} when it is not data that this package wrote, or has no room.
 */
export function importData(vm: Vm, data: string, bytes: Uint8Array | undefined): Tombstone[] {
  try {
    return JSON.parse(vm.bytes.offer(bytes ? [bytes] : [], () => vm.control("import", data))) as Tombstone[];
  } catch (error) {
    if (error instanceof VmDamaged) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new SnapshotError("SNAPSHOT_CORRUPT", `The snapshot's data cannot be restored: ${reason}.`, {
      cause: error,
    });
  }
}

/** Reads with what is held back at hand. What there is no room for even so is left out: the image holds it anyway. */
function readInRoom<T>(vm: Vm, read: () => T): T | undefined {
  if (!vm.reserves.hasRoom()) vm.reserves.giveUp("host");
  try {
    return read();
  } catch (error) {
    if (isShortage(error)) return undefined;
    throw error;
  } finally {
    vm.reserves.hold();
  }
}
