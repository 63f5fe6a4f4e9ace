/** `new Function` in the page: no sandbox at all, the limit of what an interpreter could reach in a browser. */
export const name = "new Function";

export async function open({ tools } = {}) {
  const run = (body) => new Function("tools", body)(tools);
  return {
    eval: async (source) => run(`return (${source}\n)`),
    compute: async (body) => run(body),
    computeAsync: (body) => run(`return (async () => {${body}})()`),
    dispose() {},
  };
}

export const features = ["tools", "values"];
