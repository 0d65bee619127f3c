/** The changes that lead from one state to another. */
import { type Change, type Contents, same } from "../state/index.js";

/** What goes comes first, so that a key is free for the record that is to have it. */
export function changesBetween(from: Contents, to: Contents): readonly Change[] {
  const gone = [...from.records.keys()].filter((uid) => !to.records.has(uid));
  const put = [...to.records.values()].filter((record) => !same(from.records.get(record.uid), record));
  return [
    ...gone.map((uid): Change => ({ op: "drop", uid })),
    ...put.map((record): Change => ({ op: "put", record })),
    ...dataBetween(from, to, new Set(gone)),
  ];
}

/** @param dropped owners whose data goes with their record */
function* dataBetween(from: Contents, to: Contents, dropped: ReadonlySet<string>): Generator<Change> {
  for (const [owner, values] of from.data) {
    const kept = to.data.get(owner);
    if (!kept && !dropped.has(owner)) yield { op: "forget", owner };
    for (const key of kept ? values.keys() : []) if (!kept?.has(key)) yield { op: "data", owner, key };
  }
  for (const [owner, values] of to.data) {
    const before = from.data.get(owner);
    for (const [key, value] of values) if (!same(before?.get(key), value)) yield { op: "data", owner, key, value };
  }
}
