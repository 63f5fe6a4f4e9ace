import { config } from "zod/v4";

/**
 * The page's security policy forbids code from text. zod tries that with the first schema that is made, which the
 * browser reports as a violation, so this has to be said before anything that makes schemas is loaded.
 */
export function forbidCodeFromText(): void {
  config({ jitless: true });
}
