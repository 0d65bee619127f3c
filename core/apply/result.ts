/** What the success of a handler leaves in the state. */

import { isSameList } from "../base/index.js";
import type { Encoded, Position, ResourceRecord } from "../contract/index.js";
import { handlersOf } from "../handler/index.js";
import { type App, type Execution, isPartial, partlyDone, type Task } from "../run/index.js";
import { type Change, isNameRetained, releaseName } from "../state/index.js";

/** Records the result of a handler that has succeeded. A promise where the run waits until it is durable. */
export function recordResult(
  { task, action, record: intended }: Execution,
  output: Encoded,
): Promise<void> | undefined {
  const { app, declared } = task;
  const record = app.ledger.contents.inPlace(intended);
  const { uid, ready } = record;
  const done = app.generation.placement.doneOf(record);
  declared.settle = (placement) => placement.resolved(uid, { ready, done });
  const { output: former } = intended;
  if (action === "update" && former !== undefined && former !== output) app.generation.formerOutputs.set(uid, former);
  const isLeft = isPartial(app, task.key, handlersOf(task.definition, task.scope));
  if (isLeft) app.generation.partial.set(task.key, uid);
  const own = isLeft ? partlyDone(record, output, done) : wholly(record, output, done);
  const [exact, dropped] = [noLonger(task, record), drops(app, uid)];
  const released = action === "adopt" ? releases(app, record) : NOTHING;
  const isAll = exact === NOTHING && dropped === NOTHING && released === NOTHING;
  return app.record(isAll ? [own] : [own, ...exact, ...dropped, ...released]);
}

function wholly({ uid, lastGood, claim, deleteFailed }: ResourceRecord, output: Encoded, done: Position): Change {
  const set = { status: "ready", output, attempt: 0, done } as const;
  const settled = lastGood ? SETTLED_UPDATE : SETTLED;
  const isUsual = claim === undefined && deleteFailed === undefined;
  return { op: "patch", uid, set, unset: isUsual ? settled : [...settled, "claim", "deleteFailed"] };
}

const SETTLED: readonly (keyof ResourceRecord)[] = ["error", "since"];
const SETTLED_UPDATE: readonly (keyof ResourceRecord)[] = ["lastGood", ...SETTLED];
const NO_REFS: readonly string[] = [];
const NOTHING: readonly Change[] = [];

/** What it referred to before is not needed any more, now that it is as declared. */
function noLonger({ refs }: Task, { uid, refs: meanwhile = NO_REFS }: ResourceRecord): readonly Change[] {
  if (isSameList(meanwhile, refs)) return NOTHING;
  return [refs.length > 0 ? { op: "patch", uid, set: { refs } } : { op: "patch", uid, unset: ["refs"] }];
}

/** The name of a retained resource is that of a record again. */
function releases({ ledger }: App, { physicalName }: ResourceRecord): readonly Change[] {
  return isNameRetained(ledger.contents, physicalName) ? [releaseName(physicalName)] : NOTHING;
}

/** Marks the children that the handler has not declared this time. Recorded, for this run may end before it prunes them. */
function drops(app: App, uid: string): readonly Change[] {
  const children = app.ledger.contents.childrenOf(uid);
  if (children.length === 0) return NOTHING;
  const left = children.filter(
    ({ key, dropped, replaced }) => !dropped && !replaced && !app.generation.isDeclared(key),
  );
  return left.map((child) => ({ op: "patch", uid: child.uid, set: { dropped: true } }));
}
