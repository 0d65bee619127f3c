/** Replacing a resource: the new one first and the old one at finalize, or the old one first. */

import { isAdoption, type ResourceRecord } from "../contract/index.js";
import { deleteFirst, refuseOutOfReach } from "../destroy/index.js";
import { setAside, withDescendants } from "../records/index.js";
import { type Compared, type Execution, type FoundOutput, refuseReplace, type Task } from "../run/index.js";
import type { Change } from "../state/index.js";
import { asDeclared } from "./decide/ignored.js";
import { newRecord, renewed } from "./new-record.js";
import { queue } from "./task.js";

/** In place of one that this run deleted before it replaced what that refers to. */
export function replaceDeleted(compared: Compared, old: ResourceRecord): Promise<unknown> {
  const { generation } = compared.app;
  generation.first.delete(compared.key);
  const task = queue(compared, undefined, "replace");
  const record = newRecord(task, { before: old.uid });
  const how = { action: "replace", phase: "create", recovering: false } as const;
  return generation.performer.execute({ task, record, old, ...how });
}

export interface ReplaceOptions {
  readonly deleteFirst: boolean;
  /** True where the handler of an update asked for it. */
  readonly isContinued?: boolean;
  /** What `read` has found, where that is not what is recorded. */
  readonly found?: FoundOutput;
}

/** @param old as it was before anything was attempted in this run */
export function replace(seen: Task, old: ResourceRecord, options: ReplaceOptions): Promise<unknown> {
  const task = renewed(asDeclared(seen, old));
  return task instanceof Promise ? task.then((one) => replacing(one, old, options)) : replacing(task, old, options);
}

function replacing(task: Task, old: ResourceRecord, options: ReplaceOptions): Promise<unknown> {
  const { isContinued = false, found } = options;
  const deleteFirst = options.deleteFirst || task.options.deleteBeforeReplace === true;
  const steps = deleteFirst ? afterDelete(task, old) : beforeDelete(task, old);
  return task.app.generation.performer.execute({
    task,
    action: "replace",
    phase: "create",
    recovering: false,
    old,
    isContinued,
    found,
    refuse: () => {
      refuseReplace(task.app, old, task.options.protect === true);
      return deleteFirst ? refuseOutOfReach(task.app, old, task) : undefined;
    },
    ...steps,
  });
}

type Steps = Pick<Execution, "record" | "aside" | "revert" | "prepare">;

/** The old copy, and the children that it has, wait in the state until finalize; the new one takes its position in the order. */
function beforeDelete(task: Task, old: ResourceRecord): Steps {
  const record = newRecord(task, { replaces: old.uid });
  const revert: Change[] = [{ op: "drop", uid: record.uid }];
  // Called when the intent is written: until then, children of the old copy may be declared elsewhere and so leave it.
  const aside = (): readonly Change[] => {
    const tree = withDescendants(task.app.ledger.contents, old);
    revert.push(...tree.map((member): Change => ({ op: "put", record: member })));
    return setAside(tree);
  };
  return { record, aside, revert };
}

/** The new one gets the name that the old one leaves free; a retained one leaves nothing. */
function afterDelete(task: Task, old: ResourceRecord): Steps {
  // Asked of the task: its declaration is not among those of the generation yet.
  const isKept = task.options.retainOnDelete === true || isAdoption(old);
  const record = newRecord(task, { before: isKept ? undefined : old.uid });
  return { record, prepare: () => deleteFirst(task.app, old) };
}
