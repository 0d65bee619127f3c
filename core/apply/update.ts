/** Updating a resource: changed props, force, an interrupted update, or a thing that is not as recorded. */

import { uuid } from "../base/index.js";
import { isPending, type ResourceRecord } from "../contract/index.js";
import { deleteAhead, dependentsAhead } from "../destroy/index.js";
import { encodeOutput } from "../handler/index.js";
import { DestroySignal } from "../resource/index.js";
import type { Execution, FoundOutput, Signal, Task } from "../run/index.js";
import type { Change } from "../state/index.js";
import type { FailedExecution } from "./another-try.js";
import { changedPaths } from "./decide/diff.js";
import { replace } from "./replace.js";
import { context } from "./task.js";

export function update(task: Task, before: ResourceRecord, recovering: boolean): Promise<unknown> {
  return updating(task, before, { recovering });
}

/** An interrupted create has left something: the record takes it over, and the type makes it what is declared. */
export async function updateFound(
  task: Task,
  before: ResourceRecord,
  output: unknown,
  action: Action = "update",
): Promise<unknown> {
  const encoded = await encodeOutput(task, before.uid, output, before.output);
  const found = { output, isRight: false };
  return updating(task, { ...before, output: encoded }, { recovering: true, found, action });
}

/** What is there has been looked at just now, and is not as declared. */
export function updateSeen(task: Task, before: ResourceRecord, output: unknown, recovering: boolean): Promise<unknown> {
  return updating(task, before, { recovering, found: { output, isRight: false } });
}

/** What is to be adopted was found, and becomes what is declared. */
export function updateAdopted(
  task: Task,
  record: ResourceRecord,
  output: unknown,
  revert: readonly Change[],
): Promise<unknown> {
  return updating(task, record, { recovering: false, found: { output, isRight: false }, action: "adopt", revert });
}

/** An update has failed just now, and its handler is called once more. */
export function updateAgain(task: Task, { record, action, found, revert }: FailedExecution): Promise<unknown> {
  const undoing = action === "adopt" ? { revert } : {};
  return updating(task, record, { recovering: true, action, ...(found && { found }), ...undoing });
}

type Action = Execution["action"];

interface How {
  readonly recovering: boolean;
  readonly found?: FoundOutput;
  readonly action?: Action;
  /** Undoes the intent where the handler never started. Default: the record is as before. */
  readonly revert?: readonly Change[];
}

function updating(task: Task, before: ResourceRecord, how: How): Promise<unknown> {
  const { recovering, found, action = "update", revert = [{ op: "put", record: before }] } = how;
  const { encoded, app } = task;
  const again = isPending(before) && changedPaths(before.props, encoded).length === 0;
  const { key, uid, kind, output, physicalName, done, replaces, replaced, local } = before;
  const { refs, parent, protect, retain } = context(task, before);
  const record: ResourceRecord = {
    key,
    uid,
    kind,
    status: "updating",
    props: encoded,
    output,
    lastGood: before.lastGood ?? { props: before.props },
    physicalName,
    token: again ? before.token : uuid(),
    attempt: again ? before.attempt + 1 : 1,
    ready: task.positioned.ready,
    done,
    refs,
    parent,
    replaces,
    replaced,
    dropped: undefined,
    protect,
    retain,
    local,
    claim: action === "adopt" ? "adopting" : done === undefined ? "own" : undefined,
    since: app.generation.since,
    error: undefined,
    deletion: undefined,
    // Until the update succeeds, the delete may have taken the resource away.
    deleteFailed: before.deleteFailed,
  };
  const signalled = async (signal: Signal): Promise<unknown> => {
    await app.generation.renew(before.key, app.ledger.contents);
    const deleteFirst = !(signal instanceof DestroySignal) && signal.deleteFirst;
    return replace(task, before, { deleteFirst, isContinued: true });
  };
  const isAhead = action === "update" && dependentsAhead(app, before).length > 0;
  return app.generation.performer.execute({
    task,
    action,
    phase: "update",
    record,
    revert,
    recovering,
    found,
    signalled,
    ...(isAhead && { prepare: () => deleteAhead(app, before) }),
  });
}
