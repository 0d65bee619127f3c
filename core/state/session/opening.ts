/** Begins a session: writes an `open` to the end of the journal, which counts once it is known to be the end. */
import { EngineError, isEngineError, NOTHING_DONE, nodeCrypto, uuid } from "../../base/index.js";
import { isGrowing, type StateStore } from "../../contract/index.js";
import { type AppendLocation, appendLine, type Content, createOwn, growing, write } from "../journal/append.js";
import { FORMAT, type OpenRecord, type Owner, SEALED_FORMAT, type SegmentLength } from "../journal/entry.js";
import type { Head } from "../journal/head.js";
import type { Segment } from "../journal/segment.js";
import { isOvertaken, listKeys } from "../journal/segment.js";
import { folded, type Written } from "../journal/tail.js";
import type { LedgerLocation } from "../keys.js";
import { type Loaded, load } from "../load.js";
import { abandonSession, isAbandoned, Lease } from "./lease.js";

export interface OpeningSettings extends AppendLocation {
  readonly owner: Owner;
  /** Purpose of the session, e.g. "up". */
  readonly command: string;
  readonly version: string;
  readonly ttl: number;
  /** Name that the ledger gets with its first entry. */
  readonly lineage: string;
  /**
   * Called if another session has written since the load; throws if that affects what the run has read. Resolves with
   * the load to continue from.
   */
  continueFrom(loaded: Loaded, own: OwnSessions): Promise<Loaded>;
}

/** Sessions that this run itself has begun, all but the last one in vain. */
export interface OwnSessions {
  readonly ids: ReadonlySet<string>;
  /** True if an overtaken one carried changes: they are recorded. */
  readonly hasWritten: boolean;
}

export interface Opened {
  readonly id: string;
  /** The loaded state, this run's `open` included. */
  readonly loaded: Loaded;
  readonly lease: Lease;
  /** The session that was open before and was never closed. */
  readonly replaced: string | undefined;
  /** True if the content was not written with the `open`. */
  readonly isAlone: boolean;
  /** Lengths of earlier segments, for the first line after a lone `open`. */
  readonly settled: readonly SegmentLength[];
}

interface Draft {
  readonly id: string;
  readonly written: Written;
  readonly isAlone: boolean;
  /**
   * True if owners of earlier segments may still be adding lines, so that their contents are known only after this
   * `open`.
   */
  readonly isUnsure: boolean;
}

const ATTEMPTS = 100;

/**
 * Writes the `open`, with the content if possible.
 *
 * @throws EngineError `STORE_NOT_ATOMIC`, and everything that `continueFrom` and a load throw
 */
export async function openSession(settings: OpeningSettings, from: Loaded, content: Content): Promise<Opened> {
  const own = { ids: new Set<string>(), hasWritten: false };
  try {
    return await tryToOpen(settings, from, content, own);
  } catch (error) {
    for (const id of own.ids) abandonSession(id);
    throw error;
  }
}

async function tryToOpen(
  settings: OpeningSettings,
  from: Loaded,
  content: Content,
  own: { readonly ids: Set<string>; hasWritten: boolean },
): Promise<Opened> {
  const { store, keys, app, stage } = settings;
  let loaded = from;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const draft = draftOf(settings, loaded, content);
    const { entry, text } = draft.written;
    own.ids.add(draft.id);
    if (draft.isUnsure && typeof loaded.seal === "object") await makeNamedLast(settings, loaded.head);
    if (await createOwn(store, keys.entry(entry.seq), text)) {
      const opened = await confirm(settings, loaded, draft, own);
      if (opened) return opened;
      own.hasWritten ||= !draft.isAlone;
    }
    loaded = await settings.continueFrom(await load(settings), own);
  }
  throw new EngineError(
    "STORE_FAILED",
    `The state of "${app}/${stage}" could not be changed: in each of ${ATTEMPTS} attempts, another run wrote first. Run again.`,
  );
}

/**
 * Drafts an `open`. One that stays in the journal permanently, because a paused writer could aim at its number, is
 * alone in an entry that does not grow, so it stays small.
 */
function draftOf(settings: OpeningSettings, loaded: Loaded, content: Content): Draft {
  const { head, unsettled } = loaded;
  const id = uuid();
  const isUnsure = (head.open !== undefined && head.grows) || unsettled.length > 0;
  const isAlone = isUnsure || head.open !== undefined || head.lineage === undefined;
  const { brings, ...members } = content;
  const open = openRecord(settings, head, brings !== undefined || typeof loaded.seal === "object");
  const rest = isAlone ? { open } : { ...growing(settings.store), open, ...members };
  const entry = { seq: head.seq + 1, session: id, prev: head.digest, ...rest };
  const key = isAlone || !brings ? undefined : { ...brings, contents: loaded.contents };
  return { id, written: write(loaded, entry, key), isAlone, isUnsure };
}

function openRecord(settings: OpeningSettings, head: Head, isSealed: boolean): OpenRecord {
  const { owner, command, version, ttl, lineage, app, stage, store } = settings;
  const genesis = head.lineage === undefined ? { genesis: { lineage, app, stage } } : {};
  const format = isSealed ? SEALED_FORMAT : FORMAT;
  return { owner, command, version, store: identityOf(store), format, ttl, ...genesis };
}

/** Returns undefined if the session was overtaken: its `open` is not at the end and counts as one of a dead session. */
async function confirm(
  settings: OpeningSettings,
  before: Loaded,
  { id, written, isAlone, isUnsure }: Draft,
  own: OwnSessions,
): Promise<Opened | undefined> {
  const { store, keys, ttl } = settings;
  const lease = new Lease({ store, keys }, id, ttl);
  const after = { ...before, ...folded(before, written, settings.count()), unsettled: [] };
  const opened = { id, lease, isAlone, replaced: before.head.open?.session };
  let settled: readonly SegmentLength[] = [];
  let isLast = false;
  try {
    if (!(await probe(settings, before, written))) {
      await lease.end(true);
      return undefined;
    }
    if (!isUnsure && (await isAtEnd(settings, before.base, written.entry.seq)))
      return { ...opened, loaded: after, settled };
    const found = await load(settings);
    if (found.head.open?.session !== id) {
      await lease.end(true);
      return undefined;
    }
    isLast = true;
    for (const segment of found.unsettled) await makeLast(settings, segment);
    settled = found.unsettled.map(lengthOf);
    return { ...opened, loaded: isUnsure ? await settings.continueFrom(found, own) : found, settled };
  } catch (error) {
    await lease.end(true);
    // On a store that lets entries be overwritten, another entry of this run could destroy that of another run.
    if (!isEngineError(error, "STORE_NOT_ATOMIC")) await leave(settings, after, id, { settled, isLast });
    throw error;
  }
}

/** True if nothing can have been trimmed before this entry, and nothing follows it. */
async function isAtEnd(location: LedgerLocation, base: number, seq: number): Promise<boolean> {
  const seen = await listKeys(location);
  return !isOvertaken(seen, base) && (seen.entries.at(-1) ?? 0) <= seq;
}

/**
 * Tests that the store respects the condition of `create`, with this run's own entry, which must exist already. Returns
 * false if other sessions have continued meanwhile and trimmed it.
 */
async function probe(settings: OpeningSettings, { head, base }: Loaded, { entry, text }: Written): Promise<boolean> {
  const { store, keys, version } = settings;
  const isKnown = head.version === version && head.store === identityOf(store);
  if (isKnown || !(await store.create(keys.entry(entry.seq), text))) return true;
  if (isOvertaken(await listKeys(settings), base)) return false;
  throw notAtomic(store);
}

export function notAtomic(store: StateStore): EngineError {
  return new EngineError(
    "STORE_NOT_ATOMIC",
    `The store ${store.location ?? store.name} overwrites existing keys although the request forbids it, so it cannot keep two runs apart. ` +
      "Use a store with conditional writes: AWS S3, Ceph RGW, MinIO, Cloudflare R2, redisStore() or fsStore().",
  );
}

/** Returns a digest of the state's location, which is private. */
export function identityOf({ name, location = "" }: StateStore): string {
  return nodeCrypto().hash("sha256", `${name} ${location}`, "hex").slice(0, 16);
}

/**
 * Closes a session that cannot continue, so that no run waits for its lease to expire. If others have continued
 * meanwhile, this `open` is among numbers that they have trimmed, and only they may write after it.
 */
async function leave(
  settings: OpeningSettings,
  at: Loaded,
  id: string,
  { settled, isLast }: { readonly settled: readonly SegmentLength[]; readonly isLast: boolean },
): Promise<void> {
  try {
    if (!isLast && !(await isAtEnd(settings, at.base, at.head.seq))) return;
    const close = { outcome: "left", summary: NOTHING_DONE } as const;
    await appendLine(settings, at, id, { settled: settled.length > 0 ? settled : undefined, close });
  } catch {
    // The run fails with the reason for leaving; a session that stays open only makes the next run wait.
  }
}

/** Makes the line that an `open` names durable, because the `open` may survive a power loss: see {@link makeLast}. */
async function makeNamedLast({ store, keys }: LedgerLocation, { seq, grows, open }: Head): Promise<void> {
  if (!isGrowing(store) || !grows || !open || isAbandoned(open.session)) return;
  await store.append(keys.entry(seq), "", keys.entry(seq + 1), { sync: true });
}

/**
 * Makes the counted lines of a segment durable before this run's own entry, which may survive a power loss: appending
 * nothing syncs the lines that the owner had no time to sync. A session that this process has abandoned is left alone,
 * because the effect of another append is unknown.
 */
async function makeLast({ store, keys }: LedgerLocation, { seq, lines }: Segment): Promise<void> {
  const owner = lines[0]?.entry.session;
  if (!isGrowing(store) || owner === undefined || isAbandoned(owner)) return;
  await store.append(keys.entry(seq), "", keys.entry(seq + 1), { sync: true });
}

function lengthOf({ seq, lines }: Segment): SegmentLength {
  return { seq, lines: lines.length, digest: lines.at(-1)?.digest ?? "" };
}
