/** What the steps of the lifecycle hand to each other. */
import type { App } from "../app.js";
import type { Definition } from "../resource/definition.js";
import type { ResourceOptions } from "../resource/options.js";
import { INTERNALS } from "../scope/internals.js";
import type { Scope } from "../scope/scope.js";
import type { Encoded, ResourceRecord } from "../state/record.js";
import type { Action, ResourceRef } from "../vocabulary.js";
import { Admission } from "./admission.js";
import type { Declared } from "./declared.js";
import type { Placed } from "./placement.js";
import { tellQueued } from "./told.js";

/** One call of a resource type in the program. */
export interface Declaration {
  readonly app: App;
  readonly scope: Scope;
  readonly definition: Definition;
  readonly ref: ResourceRef;
  readonly key: string;
  readonly props: unknown;
  readonly options: ResourceOptions;
  readonly declared: Declared;
}

/**
 * A declaration whose props are known and compared with the recorded ones. From here on they are what is recorded: the
 * program may go on to change its own, and must not see what a handler does to them.
 */
export interface Compared extends Omit<Declaration, "props"> {
  readonly encoded: Encoded;
  /** Whose props they are: the record's, or that of the one to come. */
  readonly uid: string;
  /** Sorted uids of what its props and `dependsOn` refer to. */
  readonly refs: readonly string[];
  /** JSON Pointers of the props that differ from the last good ones. */
  readonly changes: readonly string[];
}

/** A declaration whose handler is going to run: it has its place in the order of the program, and waits. */
export interface Task extends Compared {
  readonly placed: Placed;
  readonly admission: Admission;
  /** Calls of its handler so far in this run, the one to come included; absent for the first. */
  readonly tries?: number;
}

/**
 * Gives what is about to be done its place in the order of the program. What moves is seen before anything else is placed,
 * whatever the task has to wait for; it is written with what comes next, and where nothing does, nothing has come of it.
 */
export function place({ app, scope }: Compared, record: ResourceRecord | undefined): Placed {
  const placed = app.generation.placement.ready(record?.uid, scope[INTERNALS].resource);
  if (placed.moves.length > 0) app.ledger.accompany({ op: "place", at: placed.moves });
  return placed;
}

/** @param action what is to be done, as far as is known */
export function queue(compared: Compared, record: ResourceRecord | undefined, action: Action): Task {
  // Member by member, as wherever every resource comes by.
  const { app, scope, definition, ref, key, options, declared, encoded, uid, refs, changes } = compared;
  const placed = place(compared, record);
  const admission = new Admission(app.generation.entrance);
  declared.admission = admission;
  if (!app.generation.planner) tellQueued(app, ref, action);
  return { app, scope, definition, ref, key, options, declared, encoded, uid, refs, changes, placed, admission };
}

/** Members of a record that follow from where and how a resource is declared. */
export function context({
  scope,
  refs,
  options,
}: Compared): Pick<ResourceRecord, "refs" | "parent" | "protect" | "retain"> {
  return {
    refs: refs.length > 0 ? refs : undefined,
    parent: scope[INTERNALS].resource?.uid,
    protect: options.protect || undefined,
    retain: options.retainOnDelete || undefined,
  };
}
