/** Updating a resource: changed props, force, an interrupted update, or a thing that is not as recorded. */
import { uuid } from "../base/index.js";
import { isAdoption, isPending, type ResourceRecord } from "../contract/index.js";
import { deleteAhead, deleteFirst, dependentsAhead, refuseOutOfReach } from "../destroy/index.js";
import { encodeOutput } from "../handler/index.js";
import { setAside, withDescendants } from "../records/index.js";
import { DestroySignal } from "../resource/index.js";
import {
  type Compared,
  type Execution,
  type FoundOutput,
  refuseReplace,
  type Signal,
  type Task,
} from "../run/index.js";
import type { Change } from "../state/index.js";
import { changedPaths } from "./decide/decide.js";
import { asDeclared } from "./decide/ignored.js";
import { context, newRecord, queue, renewed } from "./task.js";

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
export function updateAgain(task: Task, { record, action, found, revert }: Execution): Promise<unknown> {
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

/** In place of one that this run deleted before it replaced what that refers to. */
export function replaceDeleted(compared: Compared, old: ResourceRecord): Promise<unknown> {
  const { generation } = compared.app;
  generation.first.delete(compared.key);
  const task = queue(compared, undefined, "replace");
  const record = newRecord(task, { before: old.uid });
  const how = { action: "replace", phase: "create", recovering: false } as const;
  return generation.performer.execute({ task, record, old, ...how });
}

interface ReplaceOptions {
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
