/** Resources with an unknown state, and those that may stay with them. */

import type { ResourceRecord } from "../../core/contract/index.js";
import { comparePositions } from "../../core/order/index.js";

/** uids of records that may stay although nothing declares them, because an interrupted create may depend on them. */
export function heldBack(records: Iterable<ResourceRecord>): ReadonlySet<string> {
  const all = [...records];
  const doubtful = all.filter(({ status }) => status === "creating");
  const held = new Set(doubtful.map(({ uid }) => uid));
  for (const one of doubtful) for (const { uid } of all.filter((other) => isShown(one, other))) held.add(uid);
  for (let size = 0; size < held.size; ) {
    size = held.size;
    for (const one of all.filter(({ uid, status }) => held.has(uid) && status !== "creating")) {
      for (const other of all) if (isBefore(other, one) || isPart(other, one)) held.add(other.uid);
    }
  }
  return held;
}

/** Shown by a reference, or by a text of its output in the props; all encrypted values look alike. */
function isShown(one: ResourceRecord, other: ResourceRecord): boolean {
  if (one.refs?.includes(other.uid) || one.parent === other.uid || other.parent === one.uid) return true;
  const props = JSON.stringify(one.props);
  const output = JSON.stringify(other.output ?? null);
  if (props.includes("$secret") && output.includes("$secret")) return isBefore(other, one);
  return isBefore(other, one) && textsIn(other.output).some((text) => props.includes(text));
}

function isBefore({ done }: ResourceRecord, { ready }: ResourceRecord): boolean {
  return done !== undefined && comparePositions(done, ready) <= 0;
}

function isPart(other: ResourceRecord, { uid, refs, parent }: ResourceRecord): boolean {
  return other.parent === uid || parent === other.uid || refs?.includes(other.uid) === true;
}

/** As in JSON, without the characters around the first and the last word. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [JSON.stringify(value).replace(/^\W+|\W+$/g, "")].filter((text) => text !== "");
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
