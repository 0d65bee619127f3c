/** Where the journal stands: folded line by line, without the resources. */
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
  /** Random name of the ledger; undefined while nothing was ever written. */
  readonly lineage: string | undefined;
  /** The newest entry, 0 where there is none. */
  readonly seq: number;
  /** Lines of that entry that count. */
  readonly lines: number;
  /** Digest of the last of them. */
  readonly digest: string;
  /** That entry is a segment: its session may add lines to it. */
  readonly grows: boolean;
  /** Sequence numbers that a paused writer could still aim at; never trimmed. */
  readonly guards: readonly number[];
  /** The session that was opened last, unless it has been closed. */
  readonly open: OpenSession | undefined;
  /** Version of the library that last found out that the store keeps two runs apart. */
  readonly version: string | undefined;
  /** The store that was found out to do so: the state may have been copied to another one since. */
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

/** The how manieth line of its entry a next one is, from 1. */
export function lineNumber(head: Head, seq: number): number {
  return seq === head.seq ? head.lines + 1 : 1;
}

/** Whoever goes on after its `open` has tried the store; one that had to leave may not have come to that. */
function proves(head: Head, entry: Entry): boolean {
  return !entry.open && entry.session === head.open?.session && entry.close?.outcome !== "left";
}

/** The first entry, and every session that began before the one before it had closed. */
function isGuard(head: Head, entry: Entry): boolean {
  return entry.open !== undefined && (entry.seq === 1 || head.open !== undefined);
}

/**
 * True where a line may follow this head: it names the line before. An `open` that brought nothing along was written
 * before its session could know where a growing segment ends: it may name an earlier line.
 */
export function follows(head: Head, entry: Entry): boolean {
  if (entry.seq === head.seq) return entry.prev === head.digest;
  if (entry.seq !== head.seq + 1) return false;
  const unsure = entry.open !== undefined && head.grows && !entry.ops && !entry.close;
  return unsure || entry.prev === head.digest;
}

/** For messages; never holds credentials. */
export function nameOf({ location, name }: StateStore): string {
  return location ?? name;
}

export function retiredIn({ open }: Head): Retired | undefined {
  return open?.record.retired;
}

export function arrivingIn({ open }: Head): Arriving | undefined {
  return open?.record.arriving;
}

/** @throws EngineError `STATE_RETIRED` of a stage that was moved away, `STATE_INCOMPLETE` of one that has not arrived */
export function checkInUse(location: LedgerLocation, head: Head): void {
  const why = whyUnused(location, head);
  if (why) throw why;
}

/** Undefined where nothing is in the way of using the stage. */
export function whyUnused({ app, stage, store }: LedgerLocation, head: Head): EngineError | undefined {
  const [retired, arriving, here] = [retiredIn(head), arrivingIn(head), nameOf(store)];
  const { user, host, since } = head.open?.record.owner ?? { user: "", host: "", since: "" };
  if (retired) {
    return new EngineError(
      "STATE_RETIRED",
      `The state of "${app}/${stage}" was moved to ${retired.to}, by ${user}@${host} on ${since}. What is in ${here} is kept as it was then, and no run uses it. Give the program the new store (stateStore), wherever it runs.`,
    );
  }
  if (!arriving) return undefined;
  return new EngineError(
    "STATE_INCOMPLETE",
    `The state of "${app}/${stage}" is being moved to ${here} from ${arriving.from}, by ${user}@${host} since ${since}, and no run uses it before it is there as a whole. If that was interrupted, do it again with the program's store in ${arriving.from}: engine state migrate goes on where it stopped.`,
  );
}

/**
 * The stage as it is told by the entries that are there of it, where some are still to come: nothing but who is moving it
 * here. Undefined where nobody is.
 *
 * @param seqs of entries that no checkpoint stands for
 */
export async function partlyArrived(location: LedgerLocation, seqs: readonly number[]): Promise<Head | undefined> {
  const texts = await location.store.getMany(seqs.map(location.keys.entry));
  const entries = texts.flatMap((text, index) =>
    text === undefined ? [] : (readSegment(seqs[index] ?? 0, text)?.lines[0]?.entry ?? []),
  );
  for (const { seq, session, open } of entries) {
    // Where it was closed, the stage has arrived: what is missing is missing for another reason.
    if (!open?.arriving || entries.some((other) => other.session === session && other.close)) continue;
    const { lineage } = open.arriving;
    return { ...emptyHead(location.app, location.stage), seq, lineage, open: { session, record: open } };
  }
  return undefined;
}
