/** A value as the codec writes it: JSON with tags. */
export type Encoded = null | boolean | number | string | readonly Encoded[] | { readonly [key: string]: Encoded };

/** A point on the dense, ordered line of positions: integers compared one by one, a prefix being the lesser. */
export type Position = readonly number[];

/** `ready`: settled. The others: an intent without a result, that is, pending. */
export type RecordStatus = "ready" | "creating" | "updating" | "deleting";

/** Which command or change asked for a delete. */
export type DeletionCause = "destroy" | "engine.destroy" | "prune" | "replace";

/** A delete that has begun. */
export interface BegunDeletion {
  readonly by: DeletionCause;
  /** Members that the record had before, for the case that the resource stays. */
  readonly former: Pick<ResourceRecord, "status" | "attempt" | "since" | "error">;
}

/** The last delete of a resource that is still there, as far as the engine knows. */
export interface FailedDeletion {
  readonly message: string;
  /** When it failed, as ISO 8601. */
  readonly time: string;
  /** Calls of the delete handler since the resource was last declared and found. */
  readonly attempts: number;
}

/**
 * What is known of the real resource while the record has not resolved for the first time.
 *
 * - `absent`: `read` was asked before the create began, and nothing was there that it would take for its own
 * - `unmade`: every attempt under the token has said that it made nothing (`NOT_CREATED`)
 * - `own`: its create is known to have made it
 * - `adopting`: it was there before, and its adoption has no result: it is not the engine's
 */
export type RecordClaim = "absent" | "unmade" | "own" | "adopting";

/** What the state holds on one resource. Records are immutable: a change makes a new one. */
export interface ResourceRecord {
  /** Path within the stage: child scopes and id, joined by `/`. */
  readonly key: string;
  /** Random; survives updates and moves. */
  readonly uid: string;
  readonly kind: string;
  readonly status: RecordStatus;
  /** Encoded props of the last attempt. */
  readonly props: Encoded;
  /** Encoded output; absent until a create has succeeded. */
  readonly output?: Encoded;
  /** What the last success recorded: props, while an update is pending or failed; the output too, if a delete has left a part. */
  readonly lastGood?: { readonly props: Encoded; readonly output?: Encoded };
  readonly physicalName: string;
  /** Idempotency token: the same for every attempt at the same props. */
  readonly token: string;
  /** Attempts at the present intent, from 1; 0 once it is settled. */
  readonly attempt: number;
  /** Where the resource stands in the order of the program (docs/decisions/positions-as-integer-lists.md). */
  readonly ready: Position;
  /** Absent until the resource has resolved for the first time. */
  readonly done?: Position;
  /** Sorted uids of the resources that its props or `dependsOn` refer to; of a pending change, what they referred to before as well. */
  readonly refs?: readonly string[];
  /** uid of the resource in whose handler it was declared. */
  readonly parent?: string;
  /** uid of the copy that this resource replaces, while that copy is recorded. */
  readonly replaces?: string;
  /** An old copy that a replacement left behind; deleted at finalize. */
  readonly replaced?: true;
  /** The handler of its parent has run since, and did not declare it any more; deleted at finalize. */
  readonly dropped?: true;
  /** Neither deleted nor replaced; holds until a declaration says otherwise. */
  readonly protect?: true;
  /** Deleting it only forgets it. */
  readonly retain?: true;
  /** Made by the handlers that its type has for local scopes; they are the ones to read, update and delete it. */
  readonly local?: true;
  /** Absent once it has resolved, and where nothing is known. */
  readonly claim?: RecordClaim;
  /** Start of the run that left the record pending, as ISO 8601; absent once it is settled. */
  readonly since?: string;
  /** Message of the failure that left the record pending. */
  readonly error?: string;
  /** Set while the status is `deleting`; absent in records of versions before 0.2. */
  readonly deletion?: BegunDeletion;
  /** Its last delete failed; until it is declared and found. */
  readonly deleteFailed?: FailedDeletion;
}

/**
 * The record with all members, in one order: what is read, compared and copied for every resource of every run is then
 * of one shape, which makes it several times as fast.
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

/** {@link shaped} of what was read. @throws TypeError on what is no record */
export function recordIn(read: ResourceRecord): ResourceRecord {
  checkNamed(read);
  return shaped(read);
}

/** @throws TypeError on what has no names */
export function checkNamed({ uid, key }: Partial<Record<keyof ResourceRecord, unknown>>): void {
  if (typeof uid !== "string" || typeof key !== "string") throw new TypeError("A record has a uid and a key.");
}

/** True for what is there and not whole: no update was begun, and the next one is to finish it. */
export function isNotWhole({ status, attempt }: ResourceRecord): boolean {
  return status === "updating" && attempt === 0;
}

/**
 * The command that forgets a record, as messages name it.
 *
 * @param fqn of its resource
 * @param by its record, and the options of its declaration: a declaration that fails records `protect` all the same
 */
export function forgetCommand(fqn: string, ...by: readonly { readonly protect?: boolean | undefined }[]): string {
  return `"engine state forget ${fqn}${by.some(({ protect }) => protect) ? " --force" : ""}"`;
}

/** True for an adoption without a result: what it is about is not the engine's, and is never deleted. */
export function isAdoption({ claim }: Pick<ResourceRecord, "claim">): boolean {
  return claim === "adopting";
}

/** True for an update that an earlier version began before the resource had resolved: it may have been an adoption. */
export function isOfUnknownOrigin({ status, done, claim }: ResourceRecord): boolean {
  return status === "updating" && done === undefined && claim === undefined;
}

export function isPending(record: ResourceRecord): boolean {
  return record.status !== "ready";
}

/** @param path of the scope within the stage; empty for the root */
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

/** Names of retained resources, which no record has any more. */
export const retainedOwner = "@retained";

export function isResourceOwner(owner: string): boolean {
  return !isScopeOwner(owner) && !isPluginOwner(owner) && !owner.startsWith("@");
}
