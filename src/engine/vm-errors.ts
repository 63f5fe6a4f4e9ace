/** How work inside an instance fails: with the instance, or without it. */

/** The instance is finished: its memory may be inconsistent. */
export class VmDamaged extends Error {
  override readonly name = "VmDamaged";
}

/** The prelude itself threw: out of memory, stopped by the deadline, or out of stack. The instance goes on. */
export class VmPreludeError extends Error {
  override readonly name = "VmPreludeError";
}

/** The host found no room in the guest's memory. The instance goes on. */
export class VmOutOfMemory extends Error {
  override readonly name = "VmOutOfMemory";
}
