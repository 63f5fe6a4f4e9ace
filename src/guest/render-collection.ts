/** Maps and sets. */
import { addItem, addRemark, closeBlock, openBlock } from "./block.js";
import { forEachEntry, forEachMember } from "./collections.js";
import { collectionName } from "./labels.js";
import { MapSize, SetSize } from "./primordials.js";
import { quoteBounded } from "./quote.js";
import { addProperties, nothing } from "./render-properties.js";
import { type Around, leaf, noteWidth, spend, type Walk } from "./walk.js";

export function renderMap(value: object, walk: Walk, around: Around, indent: number): string {
  const size = MapSize(value);
  const block = openBlock(indent, false);
  forEachEntry(value, (key, item) => {
    if (walk.over) return false;
    if (block.count >= walk.items) {
      walk.abbreviated = true;
      addRemark(block, `... ${size - block.count} more entries`);
      return false;
    }
    const label = walk.inner(key, walk, around, ".key", indent + 2);
    const step = typeof key === "string" ? `.get(${quoteBounded(key, 30)})` : ".get(...)";
    spend(walk, 6);
    addItem(block, `${label} => ${walk.inner(item, walk, around, step, indent + 2)}`);
    return true;
  });
  addProperties(block, value, walk, around, indent, nothing);
  noteWidth(block, walk);
  return leaf(walk, collectionName(value, "Map", size)) + closeBlock(block, indent, "{", "}");
}

export function renderSet(value: object, walk: Walk, around: Around, indent: number): string {
  const size = SetSize(value);
  const block = openBlock(indent, true);
  forEachMember(value, (item) => {
    if (walk.over) return false;
    if (block.count >= walk.items) {
      walk.abbreviated = true;
      addRemark(block, `... ${size - block.count} more members`);
      return false;
    }
    spend(walk, 2);
    addItem(block, walk.inner(item, walk, around, ".member", indent + 2));
    return true;
  });
  addProperties(block, value, walk, around, indent, nothing);
  noteWidth(block, walk);
  return leaf(walk, collectionName(value, "Set", size)) + closeBlock(block, indent, "{", "}");
}
