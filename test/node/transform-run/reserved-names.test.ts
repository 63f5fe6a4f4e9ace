import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { constantAt, transformTable } from "../../support/transform-rows.js";
import { TransformSession } from "../../support/transform-session.js";

transformTable("reserved names", [
  ["renames a constant", ["const undefined = 3; undefined", 3], ["typeof undefined", "undefined"]],
  [
    "renames shorthand properties",
    ["const {task = 5} = {}; const o = {task}; o.task", 5],
    ["typeof task", "undefined"],
  ],
  ["renames the var of a loop", ["for (var task of [1,2]) {} task", 2]],
  ["renames a function", ["function console(){ return 1 } console()", 1]],
  ["renames a class", ["class tools { static x = tools.name } tools.x", "tools"]],
  [
    "renames references in functions, not shadowed ones",
    ["const tools = 1; const f = () => tools; const g = (tools) => tools; [f(), g(2)]", [1, 2]],
  ],
  ["refuses an assignment", ["tools = 5", constantAt("1:1")]],
  [
    "leaves block variables and parameters alone",
    ["for (const task of [7]) { task }", 7],
    ["((tools) => tools)(3)", 3],
  ],
]);

/** Node says what each means: there `task` is a name like any other. */
const programsWithReservedNames: readonly string[] = [
  "{ function task() { return 1 } } task()",
  "{ function task() { return 1 } task() }",
  "{ function task() { return 1 } task = 2; [typeof task] }",
  "typeof task; { task; function task() {} } typeof task",
  "const before = typeof task; { function task() {} } [before, typeof task]",
  "if (1) function task() { return 1 }\ntask()",
  "if (0) { function task() {} } typeof task",
  "switch (1) { case 1: function task() { return 1 } } task()",
  "switch (2) { case 1: function task() {} } typeof task",
  "for (let i of [1, 2]) { function task() { return i } } task()",
  "for (const task of [1]) { { function task() {} } } typeof task",
  "for (let task = 0; task < 1; task++) { function task() {} } typeof task",
  "for (var task = 0; task < 2; task++); task",
  "for (const task of [1, 2]) task",
  "for (const task in { a: 1 }) task",
  "for (var { task } of [{ task: 3 }]); task",
  "try { throw 4 } catch (task) { task }",
  "try { throw 4 } catch (task) { var task = 5 } typeof task",
  "try { throw 4 } catch (task) { { function task() { return 1 } } typeof task }",
  "try { throw 4 } catch (task) { { function task() { return 1 } } } task()",
  "try { throw [4] } catch ([task]) { { function task() {} } typeof task }",
  "try { throw { task: 4 } } catch ({ task, a = task }) { task + a }",
  "{ async function task() {} } typeof task",
  "{ function* task() {} } typeof task",
  "{ async function task() {} typeof task }",
  "'use strict'; { function task() {} } typeof task",
  "{ let task = 1; { function task() {} } typeof task }",
  "{ let task = 1; { function task() {} } } typeof task",
  "{ class task { static x = task.y; static y = 1 } } typeof task",
  "{ class task { static x = 2; get() { return task.x } } new task().get() }",
  "{ class task {} { function task() {} } } typeof task",
  "let f; { class task { static x = 2; get() { return task.x } } f = new task() } f.get()",
  "let task = 1; { class task { static x = 2 } task.x += 1 } task",
  "let task = 1; { function task() {} } task",
  "let task = 1; if (1) function task() {}\ntask",
  "let task = 1; switch (1) { case 1: function task() {} } task",
  "const task = 1; { let task = 2; task = 3 } task",
  "const task = 1; { const { task, b = task } = { task: 2 }; task + b }",
  "const task = 1; for (const task of [2]) { task } task",
  "const task = 1; try { throw 2 } catch (task) { task = 3; task }",
  "const task = 1; { let o = { task }; o.task }",
  "const task = 1; { let task = 2; ({ task }).task }",
  "var task = 1; { let task = 2; ({ task } = { task: 3 }); task }",
  "var task = 1; { let task = 2; ({ task = 5 } = {}); task }",
  "var task = 1; { let task = 2; var g = () => task; } g() + task",
  "var task = 1; (() => { { function task() { return 2 } } return task() })() + task",
  "var task = 1; (() => { 'use strict'; { function task() {} } return task })()",
  "var task = 1; (() => { { async function task() {} } return task })()",
  "var task = 1; (() => { { let task; { function task() {} } } return task })()",
  "var task = 1; (() => { try { throw 1 } catch ([task]) { { function task() {} } } return task })()",
  "var task = 1; (() => { for (var task of [7]); return task })()",
  "var task = 1; class A { static { { function task() {} } this.x = task } } A.x",
  "var task = 1; class A { static { let task = 2; { let task = 3; this.y = task } this.x = task } } [A.x, A.y]",
  "var task = 1; class A { static { { let task = 2; this.x = task } } } A.x",
  "var task = 1; class A { task = task; [`${task}`] = 5; static task = task } [new A().task, A.task, new A()[1]]",
  "var task = 1; (class task { static x = task.name }).x",
  "var task = 1; (function task() { return typeof task })()",
  "var task = 1; ((task = 2) => task)()",
  "var task = 1; ((a = task) => { var task = 2; return a })()",
  "task: for (;;) { break task } typeof task",
  "task: function task() { return 1 }\ntask()",
  "{ task: function task() { return 1 } task() }",
  "var [task, b = task] = [1]; task + b",
  "var { a: task, ...tools } = { a: 1, b: 2 }; [task, tools.b]",
  "var { task } = { task: 2 }; task",
  "let task = 1, console = () => task; { function tools() { return console() } } tools()",
  "function outer() { { function task() { return 1 } } return task() } outer()",
  "(function () { if (true) { function task() { return 3 } } return task() })()",
];

describe("reserved names declared anywhere mean what the language says", () => {
  test.each(programsWithReservedNames)("%s", async (source) => {
    const seen = async (run: () => unknown) => {
      try {
        const value = await run();
        return typeof value === "function" ? "function" : JSON.stringify(value);
      } catch (error) {
        return (error as Error).name;
      }
    };
    const session = new TransformSession();
    const own = await seen(async () => {
      const { value, error } = await session.run(source);
      if (error) throw Object.assign(new Error(error), { name: error.split(":")[0] });
      return value;
    });
    session.dispose();
    expect(own).toBe(await seen(() => runInNewContext(source)));
  });
});
