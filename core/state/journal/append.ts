/** Appends lines of the owner to the end of the journal. */
import { EngineError } from "../../base/index.js";
import { type Growing, isGrowing, type Sealer, type StateStore } from "../../contract/index.js";
import type { Contents } from "../change.js";
import { type CheckpointLimits, isTailLong } from "../checkpoint/checkpoint.js";
import type { LedgerLocation } from "../keys.js";
import { macOfLine, vouchedFor } from "../seal/sealer.js";
import { type Entry, type SegmentLength, writeLine } from "./entry.js";
import { lineNumber } from "./head.js";
import { readSegment } from "./segment.js";
import { folded, type JournalCursor, type Written } from "./tail.js";

export interface AppendLocation extends LedgerLocation {
  readonly limits: CheckpointLimits;
  /** Number of resources that the run sees, durable or not. */
  count(): number;
}

/**
 * Contents of a line without its position; `open` occurs only in an entry that does not grow. Undefined members are not
 * written.
 */
export interface Content extends Pick<Entry, "open" | "settled" | "ops" | "close"> {
  /** Set if the line brings a key. */
  readonly brings?: Bringing;
}

/** A key among the changes of a line. */
export interface Bringing {
  readonly sealer: Sealer;
  /** Contents before the line. */
  readonly contents: Contents;
}

/**
 * Adds a line to the newest entry if that one grows; otherwise, or for a line that brings a key, creates the next
 * entry. Returns a promise only if the store needs time.
 *
 * @throws EngineError `FENCED` if another session has begun
 */
export function appendLine(
  location: AppendLocation,
  at: JournalCursor,
  session: string,
  content: Content,
): JournalCursor | Promise<JournalCursor> {
  const { store, keys, limits } = location;
  const { seq, digest: prev, grows } = at.head;
  if (!grows || !isGrowing(store)) return createEntry(location, at, session, content);
  const { settled, ops, close, brings } = content;
  // Only one of two sessions can create the next entry. A key in the middle of this entry could precede the `open` of a
  // session that takes over. That `open` is written under the key that it found, or without one, and would never match
  // again.
  if (brings)
    return endEntry(location, store, at).then((ended) =>
      createEntry(location, at, session, { ...content, settled: ended }),
    );
  const written = write(at, { seq, session, prev, settled, ops, close });
  const next = folded(at, written, location.count());
  // Lines after the last line of a segment must not survive it in a power loss: they count its lines.
  const sync = close !== undefined || isTailLong(next, limits);
  const isOurs = store.append(keys.entry(seq), written.text, keys.entry(seq + 1), { sync });
  return isOurs === true ? next : confirmed(location, written, isOurs, next);
}

/**
 * Returns the number of lines of the newest entry that count, once they are durable: the next entry must not survive
 * them in a power loss.
 *
 * @throws EngineError `FENCED` if another session has created the next entry
 */
async function endEntry(
  location: LedgerLocation,
  store: Growing,
  { head }: JournalCursor,
): Promise<readonly SegmentLength[]> {
  const { seq, lines, digest } = head;
  const { keys } = location;
  if (await store.append(keys.entry(seq), "", keys.entry(seq + 1), { sync: true })) return [{ seq, lines, digest }];
  throw await refusal(location, seq);
}

async function confirmed(
  location: AppendLocation,
  written: Written,
  isOurs: boolean | Promise<boolean>,
  next: JournalCursor,
): Promise<JournalCursor> {
  if (await isOurs) return next;
  const { seq, close } = written.entry;
  if (close && (await isSuccessor(location, written))) return next;
  throw close ? fenced(location) : await refusal(location, seq);
}

/** A session that takes over leaves an entry that is never trimmed. */
async function refusal(location: LedgerLocation, seq: number): Promise<EngineError> {
  const next = await location.store.get(location.keys.entry(seq + 1));
  return next === undefined ? gone(location, seq) : fenced(location);
}

/** Creates the next entry. @throws EngineError `FENCED` if another session has created it */
export async function createEntry(
  location: AppendLocation,
  at: JournalCursor,
  session: string,
  content: Content,
): Promise<JournalCursor> {
  const { store, keys } = location;
  const seq = at.head.seq + 1;
  const { brings, ...members } = content;
  const grows = content.open ? {} : growing(store);
  const written = write(at, { seq, session, prev: at.head.digest, ...grows, ...members }, brings);
  if (!(await createOwn(store, keys.entry(seq), written.text))) throw fenced(location);
  return folded(at, written, location.count());
}

/**
 * Serializes an entry as a line, with a MAC if the stage has a key. The line that brings the key vouches for everything
 * before it.
 *
 * @throws EngineError `PASSWORD_REQUIRED` if the stage has a key and this run does not
 */
export function write({ head, seal }: Pick<JournalCursor, "head" | "seal">, entry: Entry, brings?: Bringing): Written {
  const by = brings?.sealer ?? seal;
  if (by === "locked") throw sealed(head);
  if (by === "none") return { entry, by, ...writeLine(entry) };
  const whole = brings ? { ...entry, vouches: vouchedFor(head, brings.contents) } : entry;
  const line = lineNumber(head, entry.seq);
  const { app, stage, lineage } = head;
  const spot = { app, stage, lineage, seq: entry.seq, line };
  return { entry: whole, by, ...writeLine(whole, (covered) => macOfLine(by, spot, covered)) };
}

/** The error of an operation that requires the key of a stage. */
export function sealed({ app, stage }: Pick<LedgerLocation, "app" | "stage">): EngineError {
  return new EngineError(
    "PASSWORD_REQUIRED",
    `The state of "${app}/${stage}" is sealed with a password or a key, and this run has neither. You can inspect it, but not change anything. Set ENGINE_PASSWORD or ENGINE_KEY, or pass { password } or { key } to engine().`,
    { fqn: `${app}/${stage}` },
  );
}

/** Creates an entry. After a lost reply, the existing entry is read: it may be this one. */
export async function createOwn(store: StateStore, key: string, text: string): Promise<boolean> {
  return (await store.create(key, text)) || (await store.get(key)) === text;
}

export function growing(store: StateStore): Pick<Entry, "grows"> {
  return isGrowing(store) ? { grows: true } : {};
}

/**
 * A `close` is visible as soon as it is written, so the next session may have begun before this check. If the next
 * entry is missing, it was trimmed since, and this one with it; the entry of a session that takes over is never
 * trimmed.
 */
async function isSuccessor({ store, keys }: LedgerLocation, { entry, digest }: Written): Promise<boolean> {
  const seq = entry.seq + 1;
  const text = await store.get(keys.entry(seq));
  return text === undefined || readSegment(seq, text)?.lines[0]?.entry.prev === digest;
}

function fenced({ app, stage }: LedgerLocation): EngineError {
  return new EngineError(
    "FENCED",
    `Another run has taken over the state of "${app}/${stage}". This run stops and writes nothing more. Results that it could not record are in a recovery file. Look at what the other run did (engine state history), then run again.`,
  );
}

function gone({ app, stage, store, keys }: LedgerLocation, seq: number): EngineError {
  return new EngineError(
    "STORE_FAILED",
    `The state of "${app}/${stage}" disappeared while this run wrote it: "${keys.entry(seq)}" is no longer in ${store.location ?? store.name}. ` +
      "Something other than a run of the engine deleted or moved it. Restore the state from a backup, then run again.",
  );
}
