/** Unchanged and settled: nothing is done, and nothing written unless the program moved it or changed its references. */
import type { Change } from "../state/change.js";
import type { ResourceRecord } from "../state/record.js";
import { context, decoded, moves, type Task } from "./task.js";

export async function skip(task: Task, record: ResourceRecord): Promise<unknown> {
  const { app, ref, placed } = task;
  const changes = [...moves(task), ...rewired(task, record)];
  if (changes.length > 0) await app.record(changes);
  app.generation.placement.resolved(placed);
  app.generation.count("skipped");
  app.events.emit("resource:skipped", ref);
  return decoded(app, record.output);
}

function rewired(task: Task, record: ResourceRecord): Change[] {
  const { refs, parent } = context(task);
  if (record.parent === parent && sameList(record.refs, refs)) return [];
  const set = { ...(refs ? { refs } : {}), ...(parent === undefined ? {} : { parent }) };
  const unset: (keyof ResourceRecord)[] = [];
  if (!refs) unset.push("refs");
  if (parent === undefined) unset.push("parent");
  return [{ op: "patch", uid: record.uid, set, unset }];
}

function sameList(before: readonly string[] = [], after: readonly string[] = []): boolean {
  return before.length === after.length && before.every((uid, index) => uid === after[index]);
}
