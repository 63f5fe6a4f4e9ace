/**
 * Globals that guest code cannot take away: not assign, delete, define anew or freeze into something else. An accessor
 * that cannot be configured; its value may come and go with what the host offers.
 */
import { ObjectCreate, ObjectDefineProperty, ObjectGetOwnPropertyDescriptor } from "./primordials.js";

const realm = globalThis;

export function definePermanent(name: string, read: () => unknown): void {
  if (ObjectGetOwnPropertyDescriptor(realm, name)?.configurable === false) return;
  const descriptor = ObjectCreate(null) as PropertyDescriptor;
  descriptor.get = read;
  // Ignored, also in strict mode: a program that tries to mock it should go on.
  descriptor.set = () => {};
  descriptor.enumerable = false;
  descriptor.configurable = false;
  ObjectDefineProperty(realm, name, descriptor);
}
