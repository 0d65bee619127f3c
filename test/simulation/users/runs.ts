/** The intentions and permissions of each process, by which its deletes are judged. */
import type { ResourceRecord } from "../../../core/contract/index.js";
import type { Contents } from "../../../core/state/index.js";
import type { Deployer } from "../history.ts";
import type { Declaration } from "../program.ts";
import type { Thing } from "../thing.ts";
import { isUnchangeable } from "./kinds.ts";

/** One run of a process: it runs its program once, and finalizes. */
export interface Run {
  readonly deployer: Deployer;
  /** Declarations of the program, by FQN. */
  readonly declared: Map<string, Declaration>;
  /** uids of the resources for which the program has called `engine.destroy()`. */
  readonly destroyed: Set<string>;
  /** uids of the resources that a replacement had begun to delete. */
  readonly continued: ReadonlySet<string>;
  /** uids of the old copies that existed when it began. */
  readonly oldCopies: ReadonlySet<string>;
  /** Whether the record under a key, not counting old copies, was to be retained when it began. */
  readonly retained: ReadonlyMap<string, boolean>;
  /** FQNs of the resources whose create or update handler it has called. */
  readonly applied: Set<string>;
  /** By uid, the token of the create that it called last. */
  readonly tokens: Map<string, string>;
  /** Time at which it began to run its program. */
  readonly began: number;
  /** The program only reads. */
  readonly looks: boolean;
  /** The program has made all its declarations. */
  isPruning: boolean;
}

interface Judged {
  readonly run: Run;
  readonly record: ResourceRecord;
  readonly contents: Contents;
  readonly thingOf: (uid: string) => Thing | undefined;
  /** By a plan, it is deleted before the resource that it uses is replaced. */
  readonly isFirst: boolean;
}

/** The violations of a delete that begins now. */
export function wrongDelete(judged: Judged): readonly string[] {
  const { run, record, contents } = judged;
  const { deployer, declared, destroyed, oldCopies } = run;
  const fqn = `app/dev/${record.key}`;
  const step = declared.get(fqn);
  const isAsked = isPartOf(record, contents, (uid) => destroyed.has(uid));
  if (keeps(judged) && step?.options.retain !== false && !isLetGo(step)) {
    return [`retained: ${fqn} was deleted, and not only forgotten`];
  }
  // Resources: a protected resource is not deleted or replaced. A `protect` that is added later does not hold an old
  // copy.
  if (step?.options.protect && record.parent === undefined && !oldCopies.has(record.uid) && !isAsked) {
    return [`protected: ${fqn} was deleted, and the program protects it`];
  }
  if (isOfRetained(judged)) return [`retained: ${fqn} was deleted, and what it is a part of is only forgotten`];
  // Phases: `destroy` deletes everything inside `engine()`.
  if (deployer.does === "destroy" || isAsked) return [];
  // Rule: a later run that declares nothing prunes nothing and says so.
  if (run.looks) return [`looked: ${fqn} was deleted by a run that declared nothing`];
  // Targets: `finalize()` prunes only selected resources.
  const { targets } = deployer;
  if (targets.length > 0 && !fqn.split("/").some((name) => targets.includes(name))) {
    return [`untargeted: ${fqn} was deleted by a run with the targets ${targets}`];
  }
  // Targets: `0` allows no delete; hooks: a veto of `beforePrune` refuses all of them.
  const guard = deployer.isLimited ? "under maxDeletes 0" : deployer.vetoes ? "against a veto" : undefined;
  const isCopy = isPartOf(record, contents, (uid) => contents.records.get(uid)?.replaced === true);
  if (isCopy) {
    const isEarlier = isPartOf(record, contents, (uid) => oldCopies.has(uid));
    return guard && isEarlier ? [`unguarded: an old copy of ${fqn} was deleted ${guard}`] : [];
  }
  // Lifecycle: a run prunes undeclared records, and old copies of replaced resources.
  if (step && !isReplaced(step, judged) && !isOfReplaced(judged)) {
    return [`unasked: ${fqn} is declared, and was deleted without a change that replaces it`];
  }
  if (step || isOfReplaced(judged)) return [];
  // Order: the run checks `protect`, targets, the vetoes of `beforeDelete` and `beforePrune`, and `maxDeletes` before
  // the first delete.
  if (judged.isFirst) return deployer.isLimited ? [`unguarded: ${fqn} was deleted first under maxDeletes 0`] : [];
  // Order: a replacement that deletes first deletes nothing else before.
  if (!run.isPruning) return [`ahead: ${fqn} was deleted without a plan, before the program could declare it`];
  if (isOfSkipped(judged)) return [`unchanged: ${fqn} was deleted, and the handler of its parent did not run`];
  if (guard) return [`unguarded: ${fqn} was pruned ${guard}`];
  if (deployer.keepsOrphans) return [`unguarded: ${fqn} was pruned under destroyOrphans: false`];
  return [];
}

/** Resources: a delete that retains a resource removes it and its children from the state. */
function isOfRetained(judged: Judged): boolean {
  const { run, record, contents } = judged;
  const parent = record.parent === undefined ? undefined : contents.records.get(record.parent);
  if (!parent) return false;
  const isGoing = run.deployer.does === "destroy" || !run.declared.has(`app/dev/${parent.key}`);
  // A child that its parent has dropped is deleted by itself.
  return (
    (isGoing && keeps({ ...judged, record: parent }) && record.dropped !== true) ||
    isOfRetained({ ...judged, record: parent })
  );
}

/** For an old copy, the resource that replaced it decides. */
function keeps({ run, record: { key, replaced, retain } }: Judged): boolean {
  return (replaced ? run.retained.get(key) : undefined) ?? retain === true;
}

function isLetGo(step: Declaration | undefined): boolean {
  return step !== undefined && step.options.retain !== true;
}

function isPartOf(record: ResourceRecord, { records }: Contents, is: (uid: string) => boolean): boolean {
  for (let one: ResourceRecord | undefined = record; one; one = one.parent ? records.get(one.parent) : undefined) {
    if (is(one.uid)) return true;
  }
  return false;
}

/** Resources: a change replaces a resource because of `replaceOn`, without an `update`, or with another type. */
function isReplaced(step: Declaration, { record, thingOf }: Judged): boolean {
  const thing = thingOf(record.uid);
  if (record.kind !== `simulation:${step.kind}` || !thing) return true;
  if (thing.title !== undefined && thing.title !== String(step.name)) return true;
  if (!isUnchangeable(step.kind)) return false;
  // Verify: `read` finds another resource than the recorded one, as after a partial delete.
  if (thing.rest !== undefined) return true;
  if (!step.options.ignores && Reflect.get(Object(record.props), "tag") !== step.tag) return true;
  // The values that it was made from may have changed.
  return thing.value.split(" ")[0] !== String(step.value) || step.uses.length > 0 || !thing.value.endsWith(" {}");
}

/** A child of a resource that is replaced, or no longer declared, is deleted with it. */
function isOfReplaced(judged: Judged): boolean {
  const { run, record, contents } = judged;
  const parent = record.parent === undefined ? undefined : contents.records.get(record.parent);
  if (!parent) return record.parent !== undefined;
  const step = run.declared.get(`app/dev/${parent.key}`);
  const whole = { ...judged, record: parent };
  if (step ? isReplaced(step, whole) : parent.parent === undefined || parent.dropped === true) return true;
  return parent.status === "deleting" || isOfReplaced(whole);
}

/**
 * Lifecycle: a run does not prune children of an unchanged resource. A resource that is not declared itself is deleted
 * with its parent.
 */
function isOfSkipped(judged: Judged): boolean {
  const { run, record, contents } = judged;
  const parent = record.parent === undefined ? undefined : contents.records.get(record.parent);
  if (!parent || record.dropped) return false;
  const fqn = `app/dev/${parent.key}`;
  return run.declared.has(fqn) ? !run.applied.has(fqn) : isOfSkipped({ ...judged, record: parent });
}

/** The earlier names of a resource: before a program renamed it or a parent of it. */
export function formerNames(fqn: string, declared: ReadonlyMap<string, Declaration> = new Map()): readonly string[] {
  const names = fqn.split("/");
  return names.flatMap((_, at) => {
    const alias = declared.get(names.slice(0, at + 1).join("/"))?.alias;
    return alias === undefined ? [] : [...names.slice(0, at), alias, ...names.slice(at + 1)].join("/");
  });
}
