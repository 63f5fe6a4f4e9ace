/** Random programs over the counting tools: every call has a label of its own and prints it when it has come back. */
import fc from "fast-check";

type Write = (label: string) => string;

const call = fc.constantFrom("charge", "sendMail", "deleteFile", "fail").map(
  (name): Write =>
    (label) =>
      name === "fail"
        ? `try { await tools.fail({ of: ${label} }) } catch (error) { console.log("failed", ${label}) }`
        : `await tools.${name}({ of: ${label} }); console.log("did", ${label});`,
);

const sub = (label: string, index: number) => `${label} + ".${index}"`;

const { statement } = fc.letrec<{ statement: Write; block: Write }>((tie) => {
  const blocks = fc.array(tie("statement"), { minLength: 1, maxLength: 3 });
  const parallel =
    (combine: string): ((parts: Write[]) => Write) =>
    (parts) =>
    (label) => {
      const calls = parts.map((part, index) => `(async () => { ${part(sub(label, index))} })()`);
      // Who is first to reject a race depends on the pauses, as it depends on the time without them.
      const safe = combine === "race" ? calls.map((call) => `${call}.catch(() => {})`) : calls;
      return `await Promise.${combine}([${safe.join(", ")}]);`;
    };
  return {
    block: blocks.map(
      (parts): Write =>
        (label) =>
          parts.map((part, index) => part(sub(label, index))).join("\n"),
    ),
    statement: fc.oneof(
      { maxDepth: 3, depthIdentifier: "program" },
      call,
      tie("block"),
      blocks.map(parallel("all")),
      blocks.map(parallel("allSettled")),
      blocks.map(parallel("race")),
      fc.tuple(tie("block"), fc.integer({ min: 2, max: 3 })).map(
        ([body, times]): Write =>
          (label) =>
            `for (let i = 0; i < ${times}; i++) { const at = ${label} + "#" + i; ${body("at")} }`,
      ),
      fc.tuple(tie("block"), tie("block"), tie("block")).map(
        ([body, handler, last]): Write =>
          (label) =>
            `try { ${body(sub(label, 0))} } catch { ${handler(sub(label, 1))} } finally { ${last(sub(label, 2))} }`,
      ),
      tie("block").map(
        (body): Write =>
          (label) =>
            `{ const at = ${label}; const inner = async () => { ${body("at")} }; const outer = async () => { await inner(); }; await outer(); }`,
      ),
      tie("block").map(
        (body): Write =>
          (label) =>
            `{ const at = ${label}; async function* steps() { yield 1; ${body("at")} yield 2; } for await (const step of steps()) console.log("step", at, step); }`,
      ),
    ),
  };
});

/** Ends with `done`, whatever its parts do. */
export const programs = statement.map((write) => `try { ${write('"p"')} } catch {} "done"`);
