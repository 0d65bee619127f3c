/** Unchanged and settled: nothing is done, and nothing written unless the program changed what it belongs to. */

import { isSameList } from "../base/index.js";
import type { ResourceRecord } from "../contract/index.js";
import { decodeOutput } from "../handler/index.js";
import { type Compared, emitSkipped } from "../run/index.js";
import type { Change } from "../state/index.js";
import { assignPosition, context } from "./task.js";

export function skip(task: Compared, record: ResourceRecord): unknown {
  const { app, ref, declared } = task;
  const rewiring = rewired(task, record);
  // What it refers to now must be deleted after it: so it may have to stand elsewhere in the order.
  if (rewiring.length > 0 || !record.done) assignPosition(task, record);
  else app.generation.placement.reached(record.ready);
  const changes = record.done ? rewiring : [...rewiring, firstDone(task, record)];
  const recorded = changes.length > 0 ? app.record(changes) : undefined;
  declared.settle ??= (placement) => placement.skipped(record.uid);
  app.generation.count("skipped");
  emitSkipped(app, ref);
  const output = decodeOutput(task, record);
  return recorded === undefined ? output : recorded.then(() => output);
}

/** The first `done` of a resource that an interrupted create has made and no run has deleted: it resolves to the program for the first time. */
function firstDone({ app, declared }: Compared, record: ResourceRecord): Change {
  const { uid, ready } = app.ledger.contents.inPlace(record);
  const done = app.generation.placement.doneOf({ uid, ready });
  declared.settle = (placement) => placement.resolved(uid, { ready, done });
  return { op: "patch", uid, set: { done }, unset: ["claim"] };
}

const NONE: readonly Change[] = [];
const NO_REFS: readonly string[] = [];

function rewired(task: Compared, record: ResourceRecord): readonly Change[] {
  const now = context(task);
  const { parent, protect, retain, refs } = now;
  const { dropped, deleteFailed } = record;
  const isSame = record.parent === parent && record.protect === protect && record.retain === retain && !dropped;
  if (isSame && deleteFailed === undefined && isSameList(record.refs ?? NO_REFS, refs ?? NO_REFS)) return NONE;
  const unset: (keyof ResourceRecord)[] = ["dropped", "deleteFailed"];
  for (const name of CONTEXT) if (now[name] === undefined) unset.push(name);
  return [{ op: "patch", uid: record.uid, set: now, unset }];
}

const CONTEXT = ["refs", "parent", "protect", "retain"] as const;
