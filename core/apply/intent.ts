/** What an attempt writes before its handler runs, and what takes that back. */

import type { Execution } from "../run/index.js";
import type { Change, Contents } from "../state/index.js";

// Made when they are wanted: thousands may wait for what is durable, or for a slot; and what has been moved meanwhile
// stays where it stands.
export function intentOf(
  contents: Contents,
  { record, aside }: Pick<Execution, "record" | "aside">,
): readonly Change[] {
  const own: Change = { op: "put", record: contents.inPlace(record) };
  return aside ? [...inPlace(contents, aside()), own] : [own];
}

export function revertOf(
  contents: Contents,
  { record, revert }: Pick<Execution, "record" | "revert">,
): readonly Change[] {
  return revert ? inPlace(contents, revert) : [{ op: "drop", uid: record.uid }];
}

function inPlace(contents: Contents, changes: readonly Change[]): readonly Change[] {
  return changes.map((one) => (one.op === "put" ? { op: "put", record: contents.inPlace(one.record) } : one));
}
