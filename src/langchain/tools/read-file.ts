/**
 * deepagents' `read_file` is made for a model: a header above the text, and 100 lines unless more are asked for. Code
 * wants the file. Any other tool of that name is left alone.
 */
import { schemaToJson } from "../prompt/schema-json.js";
import type { CallableTool } from "./tool-names.js";
import { ToolFailure, toGuestValue } from "./tool-result.js";

const linesPerPage = 2000;
const maxPages = 500;
const maxChars = 16 * 1024 * 1024;
const emptyFileNotice = "System reminder: File exists but has empty contents";

/** Known by its name and by the fields and defaults of its schema, which apps cannot change as they can the texts. */
export function isDeepAgentsReadFile(tool: CallableTool): boolean {
  if (tool.name !== "read_file") return false;
  const json = schemaToJson(tool.schema);
  if (typeof json !== "object") return false;
  const fields = json["properties"] as Record<string, { default?: unknown } | undefined> | undefined;
  return (
    fields?.["file_path"] !== undefined && fields["offset"]?.default === 0 && fields["limit"]?.default === 100
  );
}

export interface ReadFileOptions {
  /** Calls the tool once; gives its result as `toGuestValue` takes it. */
  readonly read: (input: Record<string, unknown>) => Promise<unknown>;
  /** The agent's state as code sees it now; tells whether a file ends in a newline, which the tool does not. */
  readonly state?: unknown;
}

/**
 * The exact text of the file, or of the window that `offset` and `limit` ask for; an image as its blocks.
 *
 * @throws {ToolFailure} for a file that is not there, and for one that this tool cannot give whole, with the way to
 * read it in parts.
 */
export async function readFileExactly(
  input: Record<string, unknown>,
  { read, state }: ReadFileOptions,
): Promise<unknown> {
  const whole = input["offset"] === undefined && input["limit"] === undefined;
  const wanted = whole ? Number.POSITIVE_INFINITY : Number(input["limit"] ?? 100);
  let offset = Number(input["offset"] ?? 0);
  const pages: string[] = [];
  let lines = 0;
  let chars = 0;
  for (let page = 0; ; page++) {
    const limit = Math.min(linesPerPage, wanted - lines);
    const value = toGuestValue(await read({ ...input, offset, limit })).value;
    if (typeof value !== "string") return value;
    const window = parseWindow(value);
    if (window === undefined) {
      if (value === emptyFileNotice) return stateText(state, input) ?? "";
      if (value.startsWith("Error: ")) {
        // Backends that know no end of file answer the page after it with an error.
        if (page > 0) break;
        throw new ToolFailure(value.slice("Error: ".length));
      }
      return value;
    }
    if (window.cut)
      throw new ToolFailure(
        `Line ${window.start} of ${String(input["file_path"])} is too long for this tool: it gives only the beginning.`,
      );
    if (window.total === undefined && page > 0 && (window.body === "" || window.body === pages.at(-1))) break;
    pages.push(window.body);
    chars += window.body.length;
    const count = window.end - window.start + 1;
    lines += count;
    const more = window.next ?? (window.total === undefined && count >= limit ? window.end : undefined);
    if (more === undefined || lines >= wanted) break;
    if (page + 1 >= maxPages || chars > maxChars)
      throw new ToolFailure(
        `${String(input["file_path"])} is too large to read at once. Read it in parts: { file_path, offset: 0, limit: 5000 }, then offset: 5000, and so on.`,
      );
    offset = more;
  }
  const text = pages.join("\n");
  if (!whole) return text;
  const exact = stateText(state, input);
  return exact === `${text}\n` ? exact : text;
}

interface FileWindow {
  readonly start: number;
  readonly end: number;
  readonly total: number | undefined;
  readonly next: number | undefined;
  /** Ends inside a line that no offset reaches. */
  readonly cut: boolean;
  readonly body: string;
}

const header = /^@@ lines (\d+)-(\d+)(?: of (\d+))?((?: \| [^|]+)*) @@$/;

/** A header stands first, or below notices in brackets; everything after its line is the file's. */
function parseWindow(text: string): FileWindow | undefined {
  let position = 0;
  for (let line = 0; line < 4; line++) {
    const end = text.indexOf("\n", position);
    const row = text.slice(position, end === -1 ? text.length : end);
    const match = header.exec(row);
    if (match !== null) {
      const [, start, last, total, fields = ""] = match;
      const body = end === -1 ? "" : text.slice(end + 1);
      const next = /next offset (\d+)/.exec(fields)?.[1];
      const window = {
        start: Number(start),
        end: Number(last),
        total: total === undefined ? undefined : Number(total),
      };
      return {
        ...window,
        next: next === undefined ? undefined : Number(next),
        cut: fields.includes("truncated mid-line"),
        body: withLastLine(body, window.end - window.start + 1),
      };
    }
    if (end === -1 || !row.startsWith("[")) return undefined;
    position = end + 1;
  }
  return undefined;
}

/** The tool drops an empty last line of a window, which the next window would then follow without it. */
function withLastLine(body: string, count: number): string {
  const lines = body.split("\n").length;
  return lines === count - 1 ? `${body}\n` : body;
}

/** The file as the state holds it, when it does. */
function stateText(state: unknown, input: Record<string, unknown>): string | undefined {
  const path = input["file_path"];
  const files = (state as { files?: unknown } | null | undefined)?.files;
  if (typeof path !== "string" || typeof files !== "object" || files === null || !Object.hasOwn(files, path))
    return undefined;
  const content = (files as Record<string, { content?: unknown } | null>)[path]?.content;
  if (typeof content === "string") return content;
  return Array.isArray(content) && content.every((line) => typeof line === "string")
    ? content.join("\n")
    : undefined;
}
