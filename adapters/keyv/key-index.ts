/**
 * The keys of one room, as one value, for Keyv can list none. A name is surely there, or it is doubtful, that is, it was
 * about to be written or deleted: then the value itself says whether it is there, also after a process was killed.
 */
export interface RoomIndex {
  readonly sure: ReadonlySet<string>;
  readonly doubtful: ReadonlySet<string>;
}

export const EMPTY: RoomIndex = { sure: new Set(), doubtful: new Set() };

/** What the keys of a room begin with: app and stage; "" for keys that have no two slashes. */
export function roomOf(key: string): string {
  const second = key.indexOf("/", key.indexOf("/") + 1);
  return key.slice(0, second + 1);
}

/** Undefined: this is no index. */
export function parseIndex(text: string): RoomIndex | undefined {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || !("sure" in value) || !("doubtful" in value)) return undefined;
  if (!isTexts(value.sure) || !isTexts(value.doubtful)) return undefined;
  return { sure: new Set(value.sure), doubtful: new Set(value.doubtful) };
}

export function printIndex({ sure, doubtful }: RoomIndex): string {
  return JSON.stringify({ sure: [...sure], doubtful: [...doubtful] });
}

/** Undefined: this is no list of rooms. */
export function parseRooms(text: string): readonly string[] | undefined {
  const value = parseJson(text);
  return isTexts(value) ? value : undefined;
}

export function without(names: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> {
  return new Set([...names].filter((name) => !others.has(name)));
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
