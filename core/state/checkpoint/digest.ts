/** What is recorded, in one number: whether it is the same as what a saved plan shows, or a key was brought to. Pure. */
import { nodeCrypto } from "../../base/index.js";
import { type ResourceRecord, shaped } from "../../contract/index.js";
import type { Contents } from "../change.js";

/** SHA-256 of all that is recorded, in hexadecimal; the order in which it is kept does not count. */
export function digestOfContents({ records, data }: Contents): string {
  const hash = nodeCrypto().createHash("sha256");
  for (const [, record] of sorted(records)) hash.update(`${textOf(record)}\n`);
  for (const [owner, values] of sorted(data)) hash.update(`${exactText([owner, sorted(values)])}\n`);
  return hash.digest("hex");
}

/** SHA-256 of one record, in hexadecimal. */
export function digestOfRecord(record: ResourceRecord): string {
  return nodeCrypto().createHash("sha256").update(textOf(record)).digest("hex");
}

function textOf(record: ResourceRecord): string {
  return exactText(shaped(record));
}

/** As JSON; a number that JSON has no form for, such as `1e999` becomes, is none that was recorded: nothing recorded has this text. */
function exactText(value: object): string {
  const text = JSON.stringify(value);
  return isExact(value) ? text : `inexact ${text}`;
}

function isExact(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== "object" || value === null) return true;
  for (const name in value) if (!isExact(Reflect.get(value, name))) return false;
  return true;
}

function sorted<V>(map: ReadonlyMap<string, V>): readonly (readonly [string, V])[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
