/** `quickjs-wasi`: one compiled module for all instances, bridge and snapshots as in its README. */
import { QuickJS } from "quickjs-wasi";

export const name = "quickjs-wasi";

let wasm;
let gzip;
/** @param {{ module: WebAssembly.Module, gzip: (bytes: Uint8Array) => Promise<Uint8Array> }} given */
export async function prepare(given) {
  ({ module: wasm, gzip } = given);
  unzip = given.unzip;
}
let unzip;

export async function open({ tools } = {}) {
  const vm = await QuickJS.create({ wasm });
  if (tools) {
    const namespace = vm.newObject();
    for (const [tool, run] of Object.entries(tools)) {
      const callback = vm.newFunction(`tools.${tool}`, (input) => {
        const deferred = vm.newPromise();
        run(vm.dump(input)).then(
          (value) => {
            deferred.resolve(vm.hostToHandle(value));
            vm.executePendingJobs();
          },
          (error) => {
            deferred.reject(vm.newError(error));
            vm.executePendingJobs();
          },
        );
        return deferred.handle;
      });
      vm.setProp(namespace, tool, callback);
      callback.dispose();
    }
    vm.setProp(vm.global, "tools", namespace);
    namespace.dispose();
  }
  return wrap(vm);
}

function wrap(vm) {
  return {
    async eval(source) {
      return vm.evalCode(source).consume((handle) => vm.dump(handle));
    },
    compute(body) {
      return this.eval(`(() => {${body}})()`);
    },
    async computeAsync(body) {
      const promise = vm.evalCode(`(async () => {${body}})()`);
      vm.executePendingJobs();
      const result = await vm.resolvePromise(promise);
      promise.dispose();
      if ("error" in result) throw new Error(result.error.consume((handle) => handle.toString()));
      return result.value.consume((handle) => vm.dump(handle));
    },
    serialize: () => QuickJS.serializeSnapshot(vm.snapshot()),
    save() {
      return gzip(this.serialize());
    },
    dispose: () => vm.dispose(),
  };
}

export const snapshots = {
  async restore(bytes) {
    return wrap(await QuickJS.restore(QuickJS.deserializeSnapshot(await unzip(bytes)), wasm));
  },
};

export const features = ["repl", "tools", "snapshots", "values"];
