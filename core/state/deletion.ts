/**
 * Changes of a record when its delete begins, is revoked, or ends with the resource still there; and names of retained
 * resources. Pure.
 */
import {
  type DeletionCause,
  type Encoded,
  type FailedDeletion,
  type ResourceRecord,
  retainedOwner,
} from "../contract/index.js";
import type { Change, Contents } from "./change.js";

type Former = NonNullable<ResourceRecord["deletion"]>["former"];

type Patch = Extract<Change, { readonly op: "patch" }>;

/** Versions before 0.2 did not record the former status. With `updating`, the type brings the resource up to date. */
const UNKNOWN_FORMER: Former = { status: "updating", attempt: 0 };

/** Returns the members that a delete replaces, with their values before it. */
function formerOf({ status, attempt, since, error, deletion }: ResourceRecord): Former {
  if (status === "deleting") return deletion?.former ?? UNKNOWN_FORMER;
  return {
    status,
    attempt,
    ...(since === undefined ? {} : { since }),
    ...(error === undefined ? {} : { error }),
  };
}

/** Returns the intent of a delete. @param since start of the run */
export function deletionBegins(record: ResourceRecord, by: DeletionCause, since: string): Patch {
  const { uid, status, attempt, deleteFailed } = record;
  const earlier = status === "deleting" ? attempt : (deleteFailed?.attempts ?? 0);
  const deletion = { by, former: formerOf(record) };
  return { op: "patch", uid, set: { status: "deleting", attempt: earlier + 1, since, deletion }, unset: ["error"] };
}

/** Revokes the intent. @param record as it was before the intent */
export function deletionUndone(record: ResourceRecord): Patch {
  const { uid, status, attempt, since, error, deletion } = record;
  return patchTo(uid, { status, attempt, since, error, deletion });
}

/**
 * Gives the record its former status.
 *
 * @param deleteFailed undefined if the resource was found after its delete
 * @param left output of the part that the delete left: the type has to complete the resource
 */
export function restored(record: ResourceRecord, deleteFailed?: FailedDeletion, left?: Encoded): Patch {
  const { uid, output } = record;
  const { status, attempt, since, error } = left === undefined ? formerOf(record) : partOf(record);
  // A resource that the engine was deleting is its own, even if its create or adoption never ended.
  const claim = status === "updating" && record.done === undefined ? "own" : record.claim;
  const patch = patchTo(uid, { status, attempt, since, error, claim, deletion: undefined, deleteFailed });
  // A change with an output is a result, which a recovery file may hold.
  const there = left ?? (status === "ready" ? undefined : output);
  const before = left === undefined ? {} : lastGoodOf(record);
  return there === undefined ? patch : { ...patch, set: { ...patch.set, ...before, output: there } };
}

/** Records that a delete with unknown outcome removed a part of the resource. @param left output of the rest */
export function onlyPart(record: ResourceRecord, left: Encoded): Patch {
  const { uid, deletion } = record;
  const set = {
    output: left,
    ...lastGoodOf(record),
    ...(deletion && { deletion: { ...deletion, former: partOf(record) } }),
  };
  return { op: "patch", uid, set };
}

/** Drift is detected against the output of the last success, not against the output of the rest. */
function lastGoodOf({ props, output, lastGood }: ResourceRecord): Pick<ResourceRecord, "lastGood"> {
  if (output === undefined || lastGood?.output !== undefined) return {};
  return { lastGood: { props: lastGood?.props ?? props, output } };
}

function partOf(record: ResourceRecord): Former {
  const former = formerOf(record);
  const { since } = record;
  return former.status === "ready" ? { ...UNKNOWN_FORMER, ...(since === undefined ? {} : { since }) } : former;
}

/** Removes members that are undefined. */
function patchTo(uid: string, members: Partial<ResourceRecord>): Patch {
  const set: Record<string, unknown> = {};
  const unset: (keyof ResourceRecord)[] = [];
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) unset.push(name as keyof ResourceRecord);
    else set[name] = value;
  }
  return { op: "patch", uid, set, unset };
}

// Names of retained resources, and of those whose record was moved to another stage: no record of this stage has them,
// and the real resources with these names still exist.

/** A name that stays taken until the resource is adopted, moved back or removed from the state. */
export interface RetainedName {
  /** The physical name. */
  readonly name: string;
  /** Key and kind of the resource that had it. */
  readonly key: string;
  readonly kind: string;
  /** Start of the run that retained it, as ISO 8601. */
  readonly since: string;
  /** Set if the record was moved: FQN of the stage that has it, and its uid. */
  readonly moved?: { readonly to: string; readonly uid: string };
}

/** Returns the names of retained resources, newest first. */
export function retainedNames(contents: Contents): readonly RetainedName[] {
  return keptNames(contents).filter(({ moved }) => !moved);
}

/** Returns also the names of resources whose record was moved to another stage. */
export function keptNames({ data }: Contents): readonly RetainedName[] {
  const all = [...(data.get(retainedOwner) ?? [])].map(([name, value]) => retainedName(name, value));
  return all.reverse().sort((one, other) => (one.since < other.since ? 1 : one.since > other.since ? -1 : 0));
}

export function isNameRetained({ data }: Contents, name: string): boolean {
  return data.get(retainedOwner)?.has(name) === true;
}

/** Keeps the name of a record that is removed while the real resource stays. */
export function retainName({ physicalName, key, kind }: ResourceRecord, since: string): Change {
  return { op: "data", owner: retainedOwner, key: physicalName, value: { key, kind, since } };
}

/** Keeps the name of a record that moves to another stage. @param to FQN of that stage */
export function keepMovedName(
  { physicalName, key, kind, uid }: Pick<ResourceRecord, "physicalName" | "key" | "kind" | "uid">,
  since: string,
  to: string,
): Change {
  return { op: "data", owner: retainedOwner, key: physicalName, value: { key, kind, since, to, uid } };
}

export function releaseName(name: string): Change {
  return { op: "data", owner: retainedOwner, key: name };
}

function retainedName(name: string, value: Encoded): RetainedName {
  const { key, kind, since, to, uid }: Partial<Record<string, unknown>> = Object(value);
  const kept = { name, key: String(key), kind: String(kind), since: String(since) };
  return to === undefined ? kept : { ...kept, moved: { to: String(to), uid: String(uid) } };
}
