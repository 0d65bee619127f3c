/** The head of the journal: folded line by line, without the resources. */
import { EngineError } from "../../base/index.js";
import type { StateStore } from "../../contract/index.js";
import type { LedgerLocation } from "../keys.js";
import { type Arriving, type Entry, type Line, NO_DIGEST, type OpenRecord, type Retired } from "./entry.js";
import { readSegment } from "./segment.js";

export interface OpenSession {
  readonly session: string;
  readonly record: OpenRecord;
}

export interface Head {
  readonly app: string;
  readonly stage: string;
  /** Random name of the ledger; undefined before its first entry. */
  readonly lineage: string | undefined;
  /** Number of the newest entry; 0 if there is none. */
  readonly seq: number;
  /** Number of lines of that entry that count. */
  readonly lines: number;
  /** Digest of the last of them. */
  readonly digest: string;
  /** True if that entry is a segment, to which its session may add lines. */
  readonly grows: boolean;
  /** Sequence numbers that a paused writer could still aim at; never trimmed. */
  readonly guards: readonly number[];
  /** The session that was opened last, unless it has been closed. */
  readonly open: OpenSession | undefined;
  /** Version of the library that last verified that the store keeps two runs apart. */
  readonly version: string | undefined;
  /** The store for which this was verified: the state may have been copied to another one since. */
  readonly store: string | undefined;
}

export function emptyHead(app: string, stage: string): Head {
  return {
    app,
    stage,
    lineage: undefined,
    seq: 0,
    lines: 0,
    digest: NO_DIGEST,
    grows: false,
    guards: [],
    open: undefined,
    version: undefined,
    store: undefined,
  };
}

export function advance(head: Head, line: Pick<Line, "entry" | "digest">): Head {
  const { entry, digest } = line;
  const guards = isGuard(head, entry) ? [...head.guards, entry.seq] : head.guards;
  const opened = entry.open ? { session: entry.session, record: entry.open } : head.open;
  const first = entry.seq !== head.seq;
  const proved = proves(head, entry) ? head.open?.record : head;
  return {
    app: entry.open?.genesis?.app ?? head.app,
    stage: entry.open?.genesis?.stage ?? head.stage,
    lineage: entry.open?.genesis?.lineage ?? head.lineage,
    seq: entry.seq,
    lines: lineNumber(head, entry.seq),
    digest,
    grows: first ? entry.grows === true : head.grows,
    guards,
    open: entry.close ? undefined : opened,
    version: proved?.version,
    store: proved?.store,
  };
}

/** Returns the 1-based number of the next line in its entry. */
export function lineNumber(head: Head, seq: number): number {
  return seq === head.seq ? head.lines + 1 : 1;
}

/** A session that continues after its `open` has tested the store; one that had to leave may not have got that far. */
function proves(head: Head, entry: Entry): boolean {
  return !entry.open && entry.session === head.open?.session && entry.close?.outcome !== "left";
}

/** The first entry, and every session that began before the previous one had closed. */
function isGuard(head: Head, entry: Entry): boolean {
  return entry.open !== undefined && (entry.seq === 1 || head.open !== undefined);
}

/**
 * Returns true if a line may follow this head, that is, if it names the line before. An `open` without further content
 * was written before its session could know the end of a growing segment: it may name an earlier line.
 */
export function follows(head: Head, entry: Entry): boolean {
  if (entry.seq === head.seq) return entry.prev === head.digest;
  if (entry.seq !== head.seq + 1) return false;
  const unsure = entry.open !== undefined && head.grows && !entry.ops && !entry.close;
  return unsure || entry.prev === head.digest;
}

/** Returns the name of a store for messages; it never holds credentials. */
export function nameOf({ location, name }: StateStore): string {
  return location ?? name;
}

export function retiredIn({ open }: Head): Retired | undefined {
  return open?.record.retired;
}

export function arrivingIn({ open }: Head): Arriving | undefined {
  return open?.record.arriving;
}

/** @throws EngineError `STATE_RETIRED` if the stage was moved away, `STATE_INCOMPLETE` if it has not arrived */
export function checkInUse(location: LedgerLocation, head: Head): void {
  const why = whyUnused(location, head);
  if (why) throw why;
}

/** Returns undefined if the stage can be used. */
export function whyUnused({ app, stage, store }: LedgerLocation, head: Head): EngineError | undefined {
  const [retired, arriving, here] = [retiredIn(head), arrivingIn(head), nameOf(store)];
  const { user, host, since } = head.open?.record.owner ?? { user: "", host: "", since: "" };
  if (retired) {
    return new EngineError(
      "STATE_RETIRED",
      `The state of "${app}/${stage}" was moved to ${retired.to} by ${user}@${host} on ${since}. The state in ${here} stays as it was then, and no run uses it. Pass the new store (stateStore) wherever the program runs.`,
    );
  }
  if (!arriving) return undefined;
  return new EngineError(
    "STATE_INCOMPLETE",
    `The state of "${app}/${stage}" is being moved to ${here} from ${arriving.from}. ${user}@${host} began the move at ${since}. No run can use the state before the move is complete. If the move was interrupted, run the same "engine state migrate" again, with a program that still uses the store in ${arriving.from}. It continues where it stopped.`,
  );
}

/**
 * Returns the head of a stage of which only some entries have arrived: it says only who is moving the stage here.
 * Undefined if no session is moving it.
 *
 * @param seqs of entries that no checkpoint covers
 */
export async function partlyArrived(location: LedgerLocation, seqs: readonly number[]): Promise<Head | undefined> {
  const texts = await location.store.getMany(seqs.map(location.keys.entry));
  const entries = texts.flatMap((text, index) =>
    text === undefined ? [] : (readSegment(seqs[index] ?? 0, text)?.lines[0]?.entry ?? []),
  );
  for (const { seq, session, open } of entries) {
    // If that session was closed, the stage has arrived, and entries are missing for another reason.
    if (!open?.arriving || entries.some((other) => other.session === session && other.close)) continue;
    const { lineage } = open.arriving;
    return { ...emptyHead(location.app, location.stage), seq, lineage, open: { session, record: open } };
  }
  return undefined;
}
