/**
 * What `bundle-sucrase.mjs` bundles: sucrase's parser and its removal of types, put together as its `transform`
 * does for `{ transforms: ["typescript"], disableESTransforms: true }`.
 */
import identifyShadowedGlobals from "sucrase/dist/esm/identifyShadowedGlobals.js";
import NameManager from "sucrase/dist/esm/NameManager.js";
import { parse } from "sucrase/dist/esm/parser/index.js";
import { TokenType } from "sucrase/dist/esm/parser/tokenizer/types.js";
import TokenProcessor from "sucrase/dist/esm/TokenProcessor.js";
import RootTransformer from "sucrase/dist/esm/transformers/RootTransformer.js";
import getTSImportedNames from "sucrase/dist/esm/util/getTSImportedNames.js";

/** Helpers are for syntax of engines older than the one here. */
const noHelpers = { emitHelpers: () => "" };

export function parseTypeScript(text, { isJsx }) {
  const { tokens, scopes } = parse(text, isJsx, true, false);
  return {
    get tokens() {
      return tokens
        .filter(({ type }) => type !== TokenType.template)
        .map(({ start, end, isType }) => ({ start, text: text.slice(start, end), isType }));
    },
    withoutTypes({ keepUnusedImports }) {
      const nameManager = new NameManager(text, tokens);
      const tokenProcessor = new TokenProcessor(text, tokens, false, true, noHelpers);
      if (!keepUnusedImports)
        identifyShadowedGlobals(tokenProcessor, scopes, getTSImportedNames(tokenProcessor));
      const { code, mappings } = new RootTransformer(
        { tokenProcessor, scopes, nameManager, helperManager: noHelpers, importProcessor: null },
        ["typescript"],
        false,
        { disableESTransforms: true, keepUnusedImports },
      ).transform();
      return { code, places: placesOf(tokens, mappings) };
    },
  };
}

/** Where tokens went. Of those at one place, the others of which were dropped, the first one counts. */
function placesOf(tokens, mappings) {
  const places = [];
  tokens.forEach(({ start }, index) => {
    const inCode = mappings[index];
    if (inCode > (places.at(-1)?.inCode ?? -1)) places.push({ inCode, inText: start });
  });
  return places;
}
