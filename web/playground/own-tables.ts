/** A person's own tables: read from a dropped file, kept in this browser, never sent anywhere. */
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { parseCsv } from "./csv.js";

export type Row = Readonly<Record<string, string | number | null>>;

export interface OwnTable {
  /** A word: it becomes part of the tool's name. */
  readonly name: string;
  readonly file: string;
  readonly rows: readonly Row[];
}

interface Schema extends DBSchema {
  tables: { key: string; value: OwnTable };
}

let database: Promise<IDBPDatabase<Schema>> | undefined;

function open(): Promise<IDBPDatabase<Schema>> {
  database ??= openDB<Schema>("edge-interpreter-playground", 1, {
    upgrade: (created) => void created.createObjectStore("tables", { keyPath: "name" }),
    blocking: () => void database?.then((opened) => opened.close()),
  }).catch((error: unknown) => {
    database = undefined;
    throw error;
  });
  return database;
}

export async function listTables(): Promise<OwnTable[]> {
  return (await open()).getAll("tables");
}

export async function keepTable(table: OwnTable): Promise<void> {
  await (await open()).put("tables", table);
}

export async function dropTable(name: string): Promise<void> {
  await (await open()).delete("tables", name);
}

/** @throws {Error} that says what is wrong with the file. */
export async function readTable(file: File): Promise<OwnTable> {
  const text = await file.text();
  const isJson = /\.json$/i.test(file.name) || /^\s*[[{]/.test(text);
  const rows = isJson ? rowsFromJson(file.name, text) : parseCsv(text);
  if (rows.length === 0) throw new Error(`${file.name} has no rows.`);
  return { name: tableName(file.name), file: file.name, rows };
}

function rowsFromJson(file: string, text: string): Row[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const list = Array.isArray(value) ? value : Object.values(value ?? {}).find(Array.isArray);
  if (!Array.isArray(list)) throw new Error(`There is no list of rows in ${file}.`);
  return list.map((row) =>
    typeof row === "object" && row !== null ? (row as Row) : { value: row as string },
  );
}

function tableName(file: string): string {
  const words = file
    .replace(/\.[^.]*$/, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_");
  const trimmed = words.replace(/^_+|_+$/g, "").slice(0, 30);
  return /^[a-z]/.test(trimmed) ? trimmed : `table_${trimmed || "1"}`;
}
