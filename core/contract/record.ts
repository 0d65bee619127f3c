/** A value as the codec writes it: JSON with tags. */
export type Encoded = null | boolean | number | string | readonly Encoded[] | { readonly [key: string]: Encoded };

/** A position in a dense order: integers compared one by one; a prefix comes first. */
export type Position = readonly number[];

/** Status of a record. `ready`: settled. The others are pending: an intent without a result. */
export type RecordStatus = "ready" | "creating" | "updating" | "deleting";

/** The command or change that requested a delete. */
export type DeletionCause = "destroy" | "engine.destroy" | "prune" | "replace";

/** A delete that has begun. */
export interface BegunDeletion {
  readonly by: DeletionCause;
  /** Former members of the record, in case the resource stays. */
  readonly former: Pick<ResourceRecord, "status" | "attempt" | "since" | "error">;
}

/** The last failed delete of a resource that still exists, as far as the engine knows. */
export interface FailedDeletion {
  readonly message: string;
  /** Time of the failure in ISO 8601 format. */
  readonly time: string;
  /** Calls of the delete handler since the resource was last declared and found. */
  readonly attempts: number;
}

/**
 * Knowledge about the real resource until the record resolves for the first time.
 *
 * - `absent`: before the create began, `read` was called and found no resource that it would recognise as its own
 * - `unmade`: every attempt with the token reported that it made nothing (`NOT_CREATED`)
 * - `own`: its create is known to have made it
 * - `adopting`: it existed before, and its adoption has no result yet, so it does not belong to the engine
 */
export type RecordClaim = "absent" | "unmade" | "own" | "adopting";

/** The record of one resource in the state. Records are immutable: a change makes a new one. */
export interface ResourceRecord {
  /** Path within the stage: child scopes and id, joined by `/`. */
  readonly key: string;
  /** Random id that survives updates and moves. */
  readonly uid: string;
  readonly kind: string;
  readonly status: RecordStatus;
  /** Encoded props of the last attempt. */
  readonly props: Encoded;
  /** Encoded output; absent until a create has succeeded. */
  readonly output?: Encoded;
  /**
   * Data of the last success: the props while an update is pending or failed, and the output if a delete left a part.
   */
  readonly lastGood?: { readonly props: Encoded; readonly output?: Encoded };
  readonly physicalName: string;
  /** Idempotency token: the same for every attempt at the same props. */
  readonly token: string;
  /** Attempts at the current intent, from 1; 0 once it is settled. */
  readonly attempt: number;
  /** Position of the resource in the order of the program (docs/decisions/positions-as-integer-lists.md). */
  readonly ready: Position;
  /** Absent until the resource has resolved for the first time. */
  readonly done?: Position;
  /**
   * Sorted uids of the resources that its props or `dependsOn` refer to. A pending change also keeps its former
   * references.
   */
  readonly refs?: readonly string[];
  /** Uid of the resource whose handler declared it. */
  readonly parent?: string;
  /** Uid of the copy that this resource replaces, while that copy is recorded. */
  readonly replaces?: string;
  /** Set on an old copy that a replacement left; it is deleted at finalize. */
  readonly replaced?: true;
  /** Set if its parent's handler has run since and did not declare it again; it is deleted at finalize. */
  readonly dropped?: true;
  /** Set if it must not be deleted or replaced; holds until a declaration changes it. */
  readonly protect?: true;
  /** Set if deleting it only removes the record. */
  readonly retain?: true;
  /** Set if the type's handlers for local scopes made it; the same handlers read, update and delete it. */
  readonly local?: true;
  /** Absent once the record has resolved, and if nothing is known. */
  readonly claim?: RecordClaim;
  /** Start of the run that left the record pending, as ISO 8601; absent once it is settled. */
  readonly since?: string;
  /** Message of the failure that left the record pending. */
  readonly error?: string;
  /** Set while the status is `deleting`; absent in records of versions before 0.2. */
  readonly deletion?: BegunDeletion;
  /** Set if its last delete failed, until it is declared and found again. */
  readonly deleteFailed?: FailedDeletion;
}

/**
 * Returns the record with all members in one order. Every run reads, compares and copies records, and one shape for all
 * makes that several times as fast.
 */
export function shaped(record: ResourceRecord): ResourceRecord {
  const all: { readonly [K in keyof Required<ResourceRecord>]: ResourceRecord[K] } = {
    key: record.key,
    uid: record.uid,
    kind: record.kind,
    status: record.status,
    props: record.props,
    output: record.output,
    lastGood: record.lastGood,
    physicalName: record.physicalName,
    token: record.token,
    attempt: record.attempt,
    ready: record.ready,
    done: record.done,
    refs: record.refs,
    parent: record.parent,
    replaces: record.replaces,
    replaced: record.replaced,
    dropped: record.dropped,
    protect: record.protect,
    retain: record.retain,
    local: record.local,
    claim: record.claim,
    since: record.since,
    error: record.error,
    deletion: record.deletion,
    deleteFailed: record.deleteFailed,
  };
  return all;
}

/** Checks a record that was read and returns it {@link shaped}. @throws TypeError if it is not a record */
export function recordIn(read: ResourceRecord): ResourceRecord {
  checkNamed(read);
  return shaped(read);
}

/** Checks that a record has its names. @throws TypeError if it does not */
export function checkNamed({ uid, key }: Partial<Record<keyof ResourceRecord, unknown>>): void {
  if (typeof uid !== "string" || typeof key !== "string") throw new TypeError("A record needs a uid and a key.");
}

/** True for a resource that exists but is incomplete: no update has begun, and the next one has to complete it. */
export function isNotWhole({ status, attempt }: ResourceRecord): boolean {
  return status === "updating" && attempt === 0;
}

/**
 * Returns the command that removes a record, for messages.
 *
 * @param fqn of its resource
 * @param by its record, and the options of its declaration: a declaration that fails also records `protect`
 */
export function forgetCommand(fqn: string, ...by: readonly { readonly protect?: boolean | undefined }[]): string {
  return `"engine state forget ${fqn}${by.some(({ protect }) => protect) ? " --force" : ""}"`;
}

/** True for an adoption without a result: the real resource does not belong to the engine and is never deleted. */
export function isAdoption({ claim }: Pick<ResourceRecord, "claim">): boolean {
  return claim === "adopting";
}

/** True for an update that an earlier version began before the resource had resolved. It may have been an adoption. */
export function isOfUnknownOrigin({ status, done, claim }: ResourceRecord): boolean {
  return status === "updating" && done === undefined && claim === undefined;
}

export function isPending(record: ResourceRecord): boolean {
  return record.status !== "ready";
}

/** Returns the owner name of a scope's data. @param path of the scope within the stage; empty for the root */
export function scopeOwner(path: string): string {
  return `/${path}`;
}

export function isScopeOwner(owner: string): boolean {
  return owner.startsWith("/");
}

export function pluginOwner(name: string): string {
  return `$${name}`;
}

export function isPluginOwner(owner: string): boolean {
  return owner.startsWith("$");
}

export const outputsOwner = "@outputs";

/** Owner of the names of retained resources, which have no record any more. */
export const retainedOwner = "@retained";

export function isResourceOwner(owner: string): boolean {
  return !isScopeOwner(owner) && !isPluginOwner(owner) && !owner.startsWith("@");
}
