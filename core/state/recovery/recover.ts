/** Records, at the beginning of a run, the results that earlier runs could not record. */
import { messageOf } from "../../base/index.js";
import type { EventBus, StateStore } from "../../contract/index.js";
import { type Change, Contents } from "../change.js";
import type { Head } from "../journal/head.js";
import { dataWrittenSince } from "../journal/segment.js";
import { ledgerKeys } from "../keys.js";
import { sameContents } from "../reads.js";
import { digestOf, type Intent, intentsIn, isOfPlugin, isOfRecord, keptWith, type Result, uidOf } from "./recovery.js";
import {
  findRecoveries,
  type Recovery,
  type RecoveryCipher,
  readRecovery,
  removeRecovery,
  setRecoveryAside,
  UNENCRYPTED,
  type UnusableRecovery,
} from "./recovery-file.js";

export interface RecoverySettings {
  readonly app: string;
  readonly stage: string;
  readonly store: StateStore;
  readonly rootDir: string;
  /** False: nothing is recorded, and no file is touched. */
  readonly writes: boolean;
  readonly events: EventBus;
  readonly recoveryCipher?: RecoveryCipher;
}

/** The part of a ledger that recovery needs. */
export interface Recovering {
  readonly lineage: string | undefined;
  readonly contents: Contents;
  /** Set if the key of the state is recorded, or will be with the next change. */
  readonly keyRecord: object | undefined;
  readonly durable: { readonly head: Pick<Head, "seq"> };
  commit(changes: readonly Change[], urgency: "now"): Promise<void>;
}

const NO_OWNERS: ReadonlySet<string> = new Set();

interface Found {
  readonly path: string;
  readonly recovery: Recovery;
}

/**
 * Records all results that still apply; deletes a file once they are durable. Rejects like any change if they cannot be
 * written.
 */
export async function recover(settings: RecoverySettings, ledger: Recovering): Promise<void> {
  const found: Found[] = [];
  for (const path of await findFiles(settings)) {
    const recovery = await readFile(settings, ledger, path);
    if (recovery) found.push({ path, recovery });
  }
  // Results that a later session could not record may rest on those of an earlier one.
  found.sort((one, other) => one.recovery.seq - other.recovery.seq);
  for (const one of found) await recordResults(settings, ledger, one);
}

async function findFiles(settings: RecoverySettings): Promise<readonly string[]> {
  const { rootDir, app, stage } = settings;
  try {
    return await findRecoveries(rootDir, app, stage);
  } catch (error) {
    warnLeft(settings, `The engine could not look for recovery files in ${rootDir}: ${messageOf(error)}`);
    return [];
  }
}

/** Returns undefined if the file is not for this run; a warning has reported why, if that matters. */
async function readFile(settings: RecoverySettings, ledger: Recovering, path: string): Promise<Recovery | undefined> {
  const { app, stage, writes, recoveryCipher } = settings;
  const keep = (why: string): void =>
    warnLeft(
      settings,
      `${path} holds results that an earlier run could not record. This run leaves the file as it is: ${why}`,
    );
  const keepUnusable = ({ problem, advice }: UnusableRecovery): void => keep(`${problem}. ${advice}`);
  try {
    const recovery = await readRecovery(path);
    if (recovery === undefined) return undefined;
    if ("problem" in recovery) keepUnusable(recovery);
    else if (recovery.app !== app || recovery.stage !== stage) return undefined;
    else if (ledger.lineage === undefined || recovery.lineage !== ledger.lineage)
      keep(`it belongs to another state of "${app}/${stage}". Delete the file if that state no longer exists.`);
    else if (ledger.keyRecord && !recovery.isLocked) keepUnusable(UNENCRYPTED);
    else if (!writes) keep('this run writes nothing. The next "engine up" or "engine destroy" records them.');
    else return { ...recovery, results: await recovery.results(recoveryCipher) };
  } catch (error) {
    keep(`it cannot be read (${messageOf(error)}).`);
  }
  return undefined;
}

async function recordResults(settings: RecoverySettings, ledger: Recovering, { path, recovery }: Found): Promise<void> {
  const { results } = recovery;
  const hasData = results.some((result) => result.data !== undefined && !isOfPlugin(result));
  const at = { store: settings.store, keys: ledgerKeys(settings.app, settings.stage) };
  const written = hasData ? await dataWrittenSince(at, ledger.durable.head.seq, recovery) : NO_OWNERS;
  const outcome = reapply(ledger.contents, results, written);
  const changes = outcome.applicable.flatMap((result) => result.changes);
  if (changes.length > 0) await ledger.commit(changes, "now");
  const text = described(outcome);
  try {
    const kept = outcome.stale.length > 0 ? await setRecoveryAside(path) : await removeRecovery(path);
    const where =
      kept === undefined
        ? `${path} was deleted.`
        : `The file is now ${kept}: compare it with the state, then delete it.`;
    settings.events.warn("RECOVERED", `${text} ${where}`);
  } catch (error) {
    // A run that finds it again has nothing left to do.
    settings.events.warn(
      "RECOVERED",
      `${text} ${path} could not be deleted: ${messageOf(error)}. Delete the file yourself.`,
    );
  }
}

function described({ applicable, known, stale }: Reapplied): string {
  const outcomes = [
    said("recorded now", applicable),
    said("recorded already", known),
    said("not recorded, because the state has changed since", stale),
  ];
  return `Results that an earlier run could not record are ${outcomes.filter(Boolean).join("; ")}.`;
}

/** Describes results without data of plugins, which belongs to the results that rest on it. */
function said(what: string, results: readonly Result[]): string {
  const own = results.filter((result) => !isOfPlugin(result));
  return own.length > 0 ? `${what}: ${namesOf(own)}` : "";
}

const MOST_NAMES = 5;

/** Names the resources and scopes of the results. */
function namesOf(results: readonly Result[]): string {
  const names = new Set(results.map(({ intents, data }) => intents[0]?.key ?? data?.owner ?? ""));
  const first = [...names].slice(0, MOST_NAMES).map((name) => `"${name}"`);
  const more = names.size - first.length;
  return more > 0 ? `${first.join(", ")} and ${more} more` : first.join(", ");
}

function warnLeft({ events }: RecoverySettings, message: string): void {
  events.warn("RECOVERY_LEFT", message);
}

/** The results of a recovery file, by whether they still apply. Pure. */
interface Reapplied {
  /** To be recorded now. */
  readonly applicable: readonly Result[];
  /** In the state already: recorded after all, or recovered before. */
  readonly known: readonly Result[];
  /** The state has changed since. */
  readonly stale: readonly Result[];
}

/**
 * @param contents before any of the results: none of them counts as something that was done since
 * @param written owners whose data others wrote since, even if it has its old value again; undefined if nothing tells
 */
export function reapply(
  contents: Contents,
  results: readonly Result[],
  written: ReadonlySet<string> | undefined = NO_OWNERS,
): Reapplied {
  const applicable: Result[] = [];
  const known: Result[] = [];
  const stale: Result[] = [];
  const ofPlugins = results.filter((result) => isOfPlugin(result) && isApplicable(contents, result));
  const kept = keptWith(contents, ofPlugins);
  for (const result of results) {
    if (isKnown(contents, result)) known.push(result);
    else if (isApplicable(contents, result) && isReadable(result, kept) && !isWritten(result, written))
      applicable.push(result);
    else stale.push(result);
  }
  return { applicable, known, stale };
}

function isApplicable(contents: Contents, { changes, intents, data }: Result): boolean {
  const uids = [...changes.filter(isOfRecord).map(uidOf), ...intents.map(({ uid }) => uid)];
  const present = intentsIn(contents, uids);
  return (
    present.length === intents.length &&
    intents.every((intent) => present.some((other) => isSame(intent, other))) &&
    (data === undefined || digestOf(contents, data.owner) === data.digest) &&
    changes.every((change) => change.op !== "put" || isFree(contents, change.record.key, uids))
  );
}

/** Data has no attempt and no token: an equal digest does not show that it was left alone. */
function isWritten(result: Result, written: ReadonlySet<string> | undefined): boolean {
  return result.data !== undefined && !isOfPlugin(result) && (written?.has(result.data.owner) ?? true);
}

/** A value encoded with data of a plugin that is missing, such as a key, cannot be decoded any more. */
function isReadable(result: Result, kept: string): boolean {
  return result.kept === undefined || result.kept === kept;
}

function isSame(one: Intent, other: Intent): boolean {
  return (
    one.uid === other.uid &&
    one.status === other.status &&
    one.token === other.token &&
    one.attempt === other.attempt &&
    String(one.ready) === String(other.ready)
  );
}

/** A record that is put back must not take its key from a newer one. */
function isFree(contents: Contents, key: string, uids: readonly string[]): boolean {
  const holder = contents.at(key);
  return holder === undefined || uids.includes(holder.uid);
}

/** True if the changes would change nothing, unless the record that they end is gone. */
function isKnown(contents: Contents, { changes }: Result): boolean {
  if (changes.some((change) => change.op === "patch" && !contents.records.has(change.uid))) return false;
  const before = new Contents();
  for (const change of changes) bring(contents, before, change);
  const after = before.copy();
  for (const change of changes) after.apply(change);
  return sameContents(before, after);
}

/** Copies the record and data that a change affects. */
function bring(from: Contents, to: Contents, change: Change): void {
  const owner = isOfRecord(change) ? uidOf(change) : change.op === "place" ? undefined : change.owner;
  if (owner === undefined) return;
  const record = isOfRecord(change) ? from.records.get(owner) : undefined;
  const data = from.data.get(owner);
  if (record) to.put(record);
  if (data) to.data.set(owner, new Map(data));
}
