import { StringSlice, uncurry } from "./primordials.js";
import { grouped, oneLine } from "./quote.js";

const SymbolToString = uncurry(Symbol.prototype.toString) as (symbol: symbol) => string;
const BigIntToString = uncurry(BigInt.prototype.toString) as (value: bigint, radix?: number) => string;
const LOG10_OF_16 = 1.2041199826559248;
/** Turning a bigint into decimal takes quadratic time; beyond about 5000 digits nobody reads it. */
const MAX_HEX_DIGITS = 4096;

export function symbolText(symbol: symbol): string {
  return oneLine(SymbolToString(symbol), 120);
}

/** `10n`; a huge one as its number of digits. */
export function bigintText(value: bigint): string {
  const hex = BigIntToString(value, 16);
  if (hex.length <= MAX_HEX_DIGITS) return `${BigIntToString(value)}n`;
  const digits = grouped((hex.length * LOG10_OF_16) | 0);
  return `[BigInt: 0x${StringSlice(hex, 0, 16)}..., about ${digits} decimal digits]`;
}
