/** Which thread the page shows: in the address, and remembered for the next visit. */

export type PlaceName = "tab" | "worker";

export interface Address {
  readonly place: PlaceName;
  readonly threadId: string;
}

const PATTERN = /^#(tab|worker)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const KEY = "edge-interpreter:address";

export function readAddress(): Address {
  const parsed = parse(location.hash) ?? parse(localStorage.getItem(KEY) ?? "");
  return parsed ?? { place: "tab", threadId: crypto.randomUUID() };
}

export function writeAddress({ place, threadId }: Address): void {
  const hash = `#${place}/${threadId}`;
  localStorage.setItem(KEY, hash);
  if (location.hash !== hash) history.replaceState(null, "", hash);
}

function parse(hash: string): Address | undefined {
  const [, place, threadId] = PATTERN.exec(hash) ?? [];
  return place && threadId ? { place: place as PlaceName, threadId } : undefined;
}
