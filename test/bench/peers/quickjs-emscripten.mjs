/** Plain `quickjs-emscripten`, both builds; the bridge is the one of its README (a promise, then pending jobs). */
import {
  newQuickJSAsyncWASMModuleFromVariant,
  newQuickJSWASMModuleFromVariant,
  RELEASE_ASYNC,
  RELEASE_SYNC,
} from "quickjs-emscripten";

function peer(name, loadModule, ownVariant) {
  let loading;
  return {
    name,
    features: ["repl", "tools", "values"],
    async prepare(variant = ownVariant) {
      loading ??= loadModule(variant);
      await loading;
    },
    async open({ tools } = {}) {
      const context = (await loading).newContext();
      if (tools) offer(context, tools);
      const isAsync = name.includes("asyncify");
      const run = (source) => (isAsync ? context.evalCodeAsync(source) : context.evalCode(source));
      const dump = (handle) => handle.consume((it) => context.dump(it));
      return {
        async eval(source) {
          return dump(context.unwrapResult(await run(source)));
        },
        compute(body) {
          return this.eval(`(() => {${body}})()`);
        },
        async computeAsync(body) {
          const promise = context.unwrapResult(await run(`(async () => {${body}})()`));
          const settled = context.resolvePromise(promise);
          context.runtime.executePendingJobs();
          const result = await settled;
          promise.dispose();
          return dump(context.unwrapResult(result));
        },
        dispose: () => context.dispose(),
      };
    },
  };
}

function offer(context, tools) {
  const namespace = context.newObject();
  for (const [tool, run] of Object.entries(tools)) {
    const callback = context.newFunction(tool, (input) => {
      const promise = context.newPromise();
      run(context.dump(input)).then(
        (value) => context.newString(value).consume((handle) => promise.resolve(handle)),
        (error) => context.newError(error).consume((handle) => promise.reject(handle)),
      );
      promise.settled.then(context.runtime.executePendingJobs);
      return promise.handle;
    });
    context.setProp(namespace, tool, callback);
    callback.dispose();
  }
  context.setProp(context.global, "tools", namespace);
  namespace.dispose();
}

export const sync = peer("quickjs-emscripten (sync)", newQuickJSWASMModuleFromVariant, RELEASE_SYNC);
export const asyncify = peer(
  "quickjs-emscripten (asyncify)",
  newQuickJSAsyncWASMModuleFromVariant,
  RELEASE_ASYNC,
);
