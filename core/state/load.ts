/** Loads the state of a stage: list → tail → checkpoint → verify. */
import { EngineError, unfitCharacter } from "../base/index.js";
import { checkNamed, isGrowing, recordIn } from "../contract/index.js";
import { type Change, Contents } from "./change.js";
import { type ClosedSession, parseCheckpoint } from "./checkpoint/checkpoint.js";
import { type Entry, isKnown, type Line } from "./journal/entry.js";
import { advance, arrivingIn, checkInUse, emptyHead, follows, type Head, partlyArrived } from "./journal/head.js";
import { isOvertaken, type KeyList, listCheckpoints, listKeys, type Segment } from "./journal/segment.js";
import { gap, type JournalCursor, readEntry, readTail, type Tail } from "./journal/tail.js";
import { corrupt, type LedgerLocation, tooNew } from "./keys.js";
import { whyMoving } from "./moving.js";
import { Overtaken, prove } from "./seal/prove.js";
import { Evidence, NO_EVIDENCE } from "./seal/sealer.js";

export interface Loaded extends JournalCursor {
  readonly contents: Contents;
  /** Segments before the last one whose length no session has recorded. */
  readonly unsettled: readonly Segment[];
  readonly evidence: Evidence;
  /** The session that closed last, according to the checkpoint and the entries after it. */
  readonly closed?: ClosedSession;
  /** True for a copy in progress, of which only the head is meaningful. */
  readonly isPartial?: true;
}

const ATTEMPTS = 100;

/** A list may lag, but not for this many loads in a row. */
const DENIALS = 10;

/**
 * Reads the state of a stage: everything acknowledged before the call, and nothing that never was.
 *
 * @throws EngineError `STATE_CORRUPT`, `STATE_FORMAT`, `STATE_IDENTITY`, `STATE_FORGED`, `WRONG_PASSWORD`;
 * `STATE_RETIRED` and `STATE_INCOMPLETE` for a state that was moved away, has not arrived, or has a {@link MoveMark}
 */
export async function load(location: LedgerLocation): Promise<Loaded> {
  for (let attempt = 1; ; attempt++) {
    const loaded = await loadAsIs(location);
    try {
      // Verified first: an unverified record of a move may be forged.
      const sound = loaded.isPartial ? loaded : await proven(location, loaded);
      checkInUse(location, sound.head);
      const moving = location.finishesMove ? undefined : whyMoving(location, sound.contents);
      if (moving) throw moving;
      return sound;
    } catch (error) {
      if (!(error instanceof Overtaken) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Verifies the loaded state. @throws EngineError `STATE_FORGED`, and the errors of opening the stage's key */
export async function proven(location: LedgerLocation, loaded: Loaded): Promise<Loaded> {
  return { ...loaded, seal: await prove(location, loaded), evidence: NO_EVIDENCE };
}

/**
 * Loads like {@link load}, but also a stage that is not in use, and without verification: nothing may be written after
 * it.
 */
export async function loadAsIs(location: LedgerLocation): Promise<Loaded> {
  let denied: number | undefined;
  let denials = 0;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const loaded = await tryLoad(location);
    if (typeof loaded === "object") return checked(location, loaded);
    denials = loaded === denied ? denials + 1 : 1;
    denied = loaded;
    if (denied !== undefined && denials === DENIALS) throw deniedBy(location, denied);
  }
  throw new EngineError(
    "STORE_FAILED",
    `The state of "${location.app}/${location.stage}" could not be read: it was rewritten during each of ${ATTEMPTS} attempts. Run again.`,
  );
}

function deniedBy({ store, keys }: LedgerLocation, base: number): EngineError {
  return new EngineError(
    "STORE_FAILED",
    `${store.location ?? store.name} listed "${keys.checkpoint(base)}" but did not return it, in ${DENIALS} attempts in a row. ` +
      "Check for a cache, a replica that lags or a rule that hides objects between this run and the store, then run again.",
  );
}

/**
 * Returns undefined if the load was overtaken: an entry or checkpoint that it needed was trimmed after it was listed.
 * Returns a number if that checkpoint was listed and is not there.
 *
 * The tail is read before the checkpoint, and trimming removes checkpoints before entries. If the entry after a
 * checkpoint was missing and the checkpoint is still there, that entry was not trimmed. Only a store that may carry out
 * a request long after it was given up could restore a checkpoint. Such a store, and any tail that was read or listed,
 * needs a second listing.
 */
async function tryLoad(location: LedgerLocation): Promise<Loaded | number | undefined> {
  const { base, listed } = await findBase(location);
  const tail = await readTail(location, base, listed);
  const from = await readBase(location, base);
  if (from === undefined) return base;
  const loaded = tail instanceof EngineError ? tail : from instanceof EngineError ? from : fold(location, from, tail);
  const isBare = !(tail instanceof EngineError) && tail.end === base;
  // The first entry is never trimmed: if it is missing, nothing was ever written.
  const { store } = location;
  const isPlain = isBare && (base === 0 || isGrowing(store) || (store.ignoresLateWrites === true && listed === 0));
  if (isPlain && !(loaded instanceof EngineError)) return loaded;
  const seen = await listKeys(location);
  if (isOvertaken(seen, base)) return undefined;
  if (loaded instanceof EngineError) return arrivedInPart(location, base, seen, loaded);
  if (arrivingIn(loaded.head)) return loaded;
  const lost = await findLost(location, loaded.head.seq, seen);
  if (lost === undefined) return loaded;
  if (isOvertaken(await listKeys(location), base)) return undefined;
  return arrivedInPart(location, base, seen, lost);
}

/** Recognizes a copy in progress, whose missing entries look like damage. @throws the damage otherwise */
async function arrivedInPart(
  location: LedgerLocation,
  base: number,
  seen: KeyList,
  damage: EngineError,
): Promise<Loaded> {
  const seqs = seen.entries.filter((seq) => seq > base);
  const head = seqs.at(-1) === base + seqs.length ? undefined : await partlyArrived(location, seqs);
  if (!head) throw damage;
  return { ...NOTHING_READ, base, head, contents: new Contents(), isPartial: true };
}

/**
 * Finds the newest checkpoint and the number of entries listed after it. If each change is an entry of its own there
 * may be many, and listing the whole stage takes no more requests than listing its checkpoints.
 */
async function findBase(location: LedgerLocation): Promise<{ readonly base: number; readonly listed: number }> {
  if (isGrowing(location.store)) return { base: (await listCheckpoints(location)).at(-1) ?? 0, listed: 0 };
  const { checkpoints, entries } = await listKeys(location);
  const base = checkpoints.at(-1) ?? 0;
  return { base, listed: entries.filter((seq) => seq > base).length };
}

/** Finds entries after the last one that was read: written since, or separated from it by a lost entry. */
async function findLost(location: LedgerLocation, end: number, { entries }: KeyList): Promise<EngineError | undefined> {
  const last = entries.at(-1) ?? 0;
  if (last <= end || (await readEntry(location, end + 1)) !== undefined) return undefined;
  return gap(location, end + 1, last);
}

const NOTHING_READ = {
  baseSize: 0,
  baseCount: 0,
  tailSize: 0,
  count: 0,
  unsettled: [],
  evidence: NO_EVIDENCE,
  seal: "locked",
} as const;

/** Returns undefined if the checkpoint was trimmed. */
async function readBase(location: LedgerLocation, base: number): Promise<Loaded | EngineError | undefined> {
  const empty = { ...NOTHING_READ, base };
  if (base === 0) {
    return {
      ...empty,
      head: emptyHead(location.app, location.stage),
      contents: new Contents(),
      evidence: new Evidence(),
    };
  }
  const key = location.keys.checkpoint(base);
  const text = await location.store.get(key);
  if (text === undefined) return undefined;
  try {
    const { head, contents, seal, closed } = parseCheckpoint(key, base, text);
    const count = contents.records.size;
    const evidence = new Evidence({ key, head, seal });
    return { ...empty, head, contents, evidence, closed, baseSize: text.length, baseCount: count, count };
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
}

function checked(location: LedgerLocation, loaded: Loaded): Loaded {
  const { app, stage, lineage } = loaded.head;
  checkNames(location, loaded.contents);
  if (lineage === undefined || (app === location.app && stage === location.stage)) return loaded;
  throw new EngineError(
    "STATE_IDENTITY",
    `The state found for "${location.app}/${location.stage}" belongs to "${app}/${stage}". The store does not distinguish the two names, perhaps because it ignores upper and lower case. Choose another name for the stage or the app.`,
  );
}

/** Matches most names. */
const PLAIN = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/;

/** @throws EngineError `STATE_CORRUPT` that names the resource, or the uid, that no program can have declared */
export function checkNames({ app, stage }: Pick<LedgerLocation, "app" | "stage">, { records }: Contents): void {
  for (const { uid, key } of records.values()) {
    if (isSound(key) && isSound(uid)) continue;
    const what = isSound(key) ? `the uid ${JSON.stringify(uid)} of "${key}"` : `the name ${JSON.stringify(key)}`;
    throw corrupt(`${app}/${stage}`, `another program wrote ${what}, which the engine cannot have created`);
  }
}

function isSound(name: unknown): boolean {
  return (
    typeof name === "string" &&
    (PLAIN.test(name) || !name.split("/").some((part) => /^\.{0,2}$/.test(part) || unfitCharacter().test(part)))
  );
}

// Applies the lines after a checkpoint to its contents, and collects the evidence for verification.

const MEANINGLESS = "its digest matches, but no version of scope-engine writes such an entry";

/** Changes the contents of `from`. @throws EngineError `STATE_FORMAT`, which trimming cannot cause */
function fold(location: LedgerLocation, from: Loaded, tail: Tail): Loaded | EngineError {
  let { head, closed } = from;
  let before: readonly string[] | undefined;
  for (const { segment, lines } of tail.counted) {
    const key = location.keys.entry(segment.seq);
    for (const line of lines) {
      const { open } = line.entry;
      if (open && !isKnown(open)) throw tooNew(key, open.format, open.version);
      if (!follows(head, line.entry)) {
        // A later copy continues after the entries of an earlier one.
        return arrivingIn(head)
          ? { ...from, head, isPartial: true }
          : corrupt(key, "it does not follow the entry before it");
      }
      const next = foldLine(from, { key, line, head, before, tail });
      if (next instanceof EngineError) return next;
      if (line.entry.close) closed = closedBy(line.entry, head) ?? closed;
      head = next;
    }
    before = lines.map(({ digest }) => digest);
  }
  return { ...from, head, closed, tailSize: tail.size, count: from.contents.records.size, unsettled: tail.unsettled };
}

function closedBy({ open, close }: Entry, head: Head): ClosedSession | undefined {
  const { owner, command } = open ?? head.open?.record ?? {};
  return close && owner && command !== undefined ? { owner, command, ...close } : undefined;
}

interface Folding {
  readonly key: string;
  readonly line: Line;
  /** Head before the line. */
  readonly head: Head;
  /** Digests in the entry before; undefined if that entry is known only through the checkpoint. */
  readonly before: readonly string[] | undefined;
  readonly tail: Tail;
}

function foldLine({ contents, evidence }: Loaded, { key, line, head, before, tail }: Folding): Head | EngineError {
  try {
    evidence.add(key, line, head, contents);
    if (isBehindOpenEnd(tail, line.entry, head)) evidence.addCut(key);
    if (line.entry.prev !== head.digest) evidence.addLoose(key, line.entry.prev, before);
    for (const change of line.entry.ops ?? []) applyChange(contents, change);
    return advance(head, line);
  } catch {
    // The digest is right, but the contents are not a change: another program computed it.
    return corrupt(key, MEANINGLESS);
  }
}

/** @throws TypeError if the value is not a change */
function applyChange(contents: Contents, change: Change): void {
  if (change.op === "put") return contents.put(recordIn(change.record));
  contents.apply(change);
  if (change.op === "patch") {
    const record = contents.records.get(change.uid);
    if (record) checkNamed(record);
  }
}

/**
 * A session that continues after entries of unknown length records that length in the first line after its `open`. If
 * it has not, the lines after that length are missing. Exceptions are a session that had to leave and one that moves a
 * stage: they change nothing.
 */
function isBehindOpenEnd({ unsettled }: Tail, { seq, ops, close }: Entry, head: Head): boolean {
  const hasEnded = close !== undefined && close.outcome !== "left" && !arrivingIn(head);
  return (ops !== undefined || hasEnded) && unsettled.some((segment) => segment.seq < seq);
}
