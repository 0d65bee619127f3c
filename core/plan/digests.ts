/** What is recorded, in one number: whether a saved plan shows what a run finds. Pure. */
import { createHash } from "node:crypto";
import type { Contents } from "../state/change.js";
import { type ResourceRecord, shaped } from "../state/record.js";

/** SHA-256 of all that is recorded, in hexadecimal; the order in which it is kept does not count. */
export function digestOfContents({ records, data }: Contents): string {
  const hash = createHash("sha256");
  for (const [, record] of sorted(records)) hash.update(`${textOf(record)}\n`);
  for (const [owner, values] of sorted(data)) hash.update(`${JSON.stringify([owner, sorted(values)])}\n`);
  return hash.digest("hex");
}

/** SHA-256 of one record, in hexadecimal. */
export function digestOfRecord(record: ResourceRecord): string {
  return createHash("sha256").update(textOf(record)).digest("hex");
}

function textOf(record: ResourceRecord): string {
  return JSON.stringify(shaped(record));
}

function sorted<V>(map: ReadonlyMap<string, V>): readonly (readonly [string, V])[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
