import { expect, test } from "vitest";
import { openBuiltins } from "../../support/builtins-guest.js";
import { sameAsHost, table } from "../../support/same-as-host.js";

const noClock = /^Error: There is no clock here\. Pass the current time in/;

table("Without a clock", [
  ["Date.now()", noClock],
  ["new Date()", noClock],
  ["Date()", noClock],
  ["performance.now()", noClock],
  ["performance.timeOrigin", noClock],
  ["new (class extends Date {})()", noClock],
  ["Reflect.construct(Date, [])", noClock],
  ["new Intl.DateTimeFormat().format()", noClock],
  ["new Date(0).toISOString()", "1970-01-01T00:00:00.000Z"],
  ["new Date(2024, 0, 31, 12).toISOString()", "2024-01-31T12:00:00.000Z"],
  ["new Date('2024-07-01T10:00').toISOString()", "2024-07-01T10:00:00.000Z"],
  ["new Date('Jul 1 2024 10:00').getHours()", 10],
  ["new Date('2024-07-01T00:00:00Z').getTimezoneOffset()", 0],
  ["new Date(undefined).getTime()", null],
  ["new Date(0).toString()", /^Thu Jan 01 1970 00:00:00 GMT\+0000/],
]);

sameAsHost("Date is otherwise the engine's own", [
  "[Date.length, Date.name, typeof Date, Object.keys(Date)]",
  "[Date.parse('2024-01-01T00:00:00Z'), Date.UTC(2020, 1, 29)]",
  "[new Date(5) instanceof Date, new Date(5).constructor === Date, Date.prototype.constructor === Date]",
  "Object.getPrototypeOf(new Date(5)) === Date.prototype",
  "(() => { class D extends Date { next() { return new D(this.getTime() + 1); } } const d = new D(5).next(); return [d instanceof D, d instanceof Date, d.getTime()]; })()",
  "(() => { function T() {} T.prototype = { x: 1 }; const o = Reflect.construct(Date, [7], T); return [o.x, Date.prototype.getTime.call(o)]; })()",
  "Object.getOwnPropertyNames(Date).sort()",
  "(() => { const d = Object.getOwnPropertyDescriptor(Date, 'prototype'); return [d.writable, d.enumerable, d.configurable]; })()",
  "(() => { const d = Object.getOwnPropertyDescriptor(globalThis, 'Date'); return [d.writable, d.enumerable, d.configurable]; })()",
  "Object.prototype.toString.call(new Date(0))",
  "new Date(new Date(7)).getTime()",
  "new Date('7 nonsense').getTime()",
  "String(new Date(8.64e15 + 1))",
  "new Date(8.64e15 + 1).toISOString()",
  "JSON.stringify({ d: new Date(1) })",
  "new Date(2) - new Date(1)",
  "Date.prototype.getTime.call({})",
]);

test("with a clock everything that tells the time reads it", async () => {
  let time = 1_700_000_000_000;
  const guest = await openBuiltins({ clock: () => time });
  expect(guest.run("Date.now()")).toBe(1_700_000_000_000);
  expect(guest.run("[performance.now(), performance.timeOrigin]")).toEqual([0, 1_700_000_000_000]);
  time += 250.5;
  expect(guest.run("[new Date().toISOString(), performance.now()]")).toEqual([
    "2023-11-14T22:13:20.250Z",
    250.5,
  ]);
  expect(guest.run("Date()")).toBe(guest.run("String(new Date())"));
  expect(guest.run("class D extends Date {} new D() instanceof D")).toBe(true);
  expect(guest.run('new Intl.DateTimeFormat("en-US").format()')).toBe("11/14/2023");
});
