/** TypeScript types as text, and how texts go together: unions, intersections, types of literal values. */
import { propertyName, quote } from "./source-text.js";

/** How tightly the text binds, to know where parentheses are needed. */
export interface TypeText {
  readonly text: string;
  readonly shape: "atom" | "union" | "intersection";
}

/** Members of an enum, or of a literal, that are printed. */
export const maxEnum = 40;
export const unknownType: TypeText = { text: "unknown", shape: "atom" };
export const neverType: TypeText = { text: "never", shape: "atom" };

export function union(parts: readonly TypeText[]): TypeText {
  const texts = [...new Map(parts.map((part) => [part.text, part])).values()].filter(
    ({ text }) => text !== "never",
  );
  if (texts.length === 0) return neverType;
  if (texts.some(({ text }) => text === "unknown")) return unknownType;
  if (texts.length === 1) return texts[0]!;
  return { text: texts.map((part) => wrap(part, "intersection")).join(" | "), shape: "union" };
}

export function intersection(parts: readonly TypeText[]): TypeText {
  const texts = [...new Map(parts.map((part) => [part.text, part])).values()].filter(
    ({ text }) => text !== "unknown",
  );
  if (texts.length === 0) return parts[0] ?? unknownType;
  if (texts.length === 1) return texts[0]!;
  return { text: texts.map((part) => wrap(part, "union")).join(" & "), shape: "intersection" };
}

function wrap({ text, shape }: TypeText, loose: TypeText["shape"]): string {
  return shape === loose ? `(${text})` : text;
}

export function literal(value: unknown, level: number): TypeText {
  if (typeof value === "string") return { text: value.length > 80 ? "string" : quote(value), shape: "atom" };
  if (typeof value === "number")
    return { text: Number.isFinite(value) ? String(value) : "number", shape: "atom" };
  if (typeof value === "bigint") return { text: `${value}n`, shape: "atom" };
  if (typeof value === "boolean" || value === null) return { text: String(value), shape: "atom" };
  if (typeof value !== "object" || level > 2) return unknownType;
  const entries = Object.entries(value).slice(0, maxEnum);
  if (Array.isArray(value))
    return {
      text: `[${entries.map(([, item]) => literal(item, level + 1).text).join(", ")}]`,
      shape: "atom",
    };
  if (entries.length === 0) return { text: "Record<string, never>", shape: "atom" };
  const members = entries.map(([name, item]) => `${propertyName(name)}: ${literal(item, level + 1).text}`);
  return { text: `{ ${members.join("; ")} }`, shape: "atom" };
}

export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "unknown[]";
  const name = typeof value;
  return name === "string" || name === "number" || name === "boolean" || name === "bigint" ? name : "unknown";
}
