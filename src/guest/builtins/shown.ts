/** How instances of the built-ins here read in a result: `[URL: https://example.org/]`. */
import { describeInstancesOf } from "../instance-text.js";
import { NativeString, ObjectGetOwnPropertyDescriptor, ReflectApply } from "../primordials.js";

/** `read` is a getter or a method without arguments of the class itself, as it was before any guest code ran. */
export function showInstances(prototype: object, name: string, read: string): void {
  const { get, value } = ObjectGetOwnPropertyDescriptor(prototype, read)!;
  const method = (get ?? value) as () => unknown;
  describeInstancesOf(
    prototype,
    (instance) => `${name}: ${NativeString(ReflectApply(method, instance, []))}`,
  );
}
