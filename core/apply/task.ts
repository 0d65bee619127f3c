/** Makes a task of what is declared and compared: with its position in the order of the program, and its wait. */
import { type Action, isSameList } from "../base/index.js";
import { INTERNALS, type ResourceRecord } from "../contract/index.js";
import type { Positioned } from "../order/index.js";
import { Admission, type Compared, emitQueued, type Task } from "../run/index.js";

/**
 * Gives what is about to be done its position in the order of the program. What moves is seen before anything else is placed,
 * whatever the task has to wait for; it is written with what comes next, and where nothing does, nothing has come of it.
 */
export function assignPosition({ app, scope }: Compared, record: ResourceRecord | undefined): Positioned {
  const positioned = app.generation.placement.ready(record?.uid, scope[INTERNALS].resource);
  if (positioned.moves.length > 0) app.ledger.piggyback({ op: "place", at: positioned.moves });
  return positioned;
}

/** @param action what is to be done, as far as is known */
export function queue(compared: Compared, record: ResourceRecord | undefined, action: Action): Task {
  // Member by member, as wherever every resource comes by.
  const { app, scope, definition, ref, key, options, declared, encoded, declaredProps, uid, refs, changes } = compared;
  const positioned = assignPosition(compared, record);
  const admission = new Admission(app.generation.admissions);
  declared.admission = admission;
  emitQueued(app, ref, action);
  return {
    app,
    scope,
    definition,
    ref,
    key,
    options,
    declared,
    encoded,
    declaredProps,
    uid,
    refs,
    changes,
    positioned,
    admission,
  };
}

/**
 * Members of a record that follow from where and how a resource is declared.
 *
 * @param before what an attempt goes on from: until that has succeeded the thing may be as it was, and need what it needed
 */
export function context(
  { scope, refs, options }: Compared,
  before?: Pick<ResourceRecord, "refs">,
): Pick<ResourceRecord, "refs" | "parent" | "protect" | "retain"> {
  const needed = withThoseBefore(refs, before?.refs);
  return {
    refs: needed.length > 0 ? needed : undefined,
    parent: scope[INTERNALS].resource?.uid,
    protect: options.protect || undefined,
    retain: options.retainOnDelete || undefined,
  };
}

function withThoseBefore(refs: readonly string[], before: readonly string[] | undefined): readonly string[] {
  if (before === undefined || isSameList(before, refs)) return refs;
  return [...new Set([...before, ...refs])].sort();
}
