/** The copies of the state that are kept for people: of when, by whom, and what is in them. */
import { isEngineError, messageOf, type ProcessName, type RunSummary } from "../../../core/base/index.js";
import { pluginOwner } from "../../../core/contract/index.js";
import {
  type Checkpoint,
  type ClosedSession,
  Contents,
  type LedgerLocation,
  listKeys,
  load,
  readSegment,
  type SealState,
  same,
} from "../../../core/state/index.js";
import { type SealStatus, sealOfCopy } from "./verify/prove-copy.js";
import { readKept } from "./view/kept-copy.js";

/** A run, or a command that changed the state, that has ended: as its session says. */
export interface EndedRun extends Pick<ProcessName, "user" | "host" | "pid"> {
  /** A phase such as `up`, or a command that changes the state, such as `restore`. */
  readonly command: string;
  /** When it began, as ISO 8601. */
  readonly since: string;
  /** Address of the CI run, where it is one. */
  readonly ci?: string;
  /** `left`: it gave way to another run before it had changed anything. */
  readonly outcome: "done" | "failed" | "left";
  readonly summary: RunSummary;
}

/** A copy of the state that is kept for people. */
export interface HistoryCopy {
  /** The entry that it is the state after; what `restore` takes. */
  readonly seq: number;
  /** The run or command that ended with it; undefined where neither the copy nor the journal has it any more. */
  readonly run: EndedRun | undefined;
  /** Resources in it; undefined where it cannot be read. */
  readonly resources: number | undefined;
  /** Why it cannot be read, or must not be relied on. */
  readonly problem: string | undefined;
  /** Who has written it; undefined where it cannot be read. */
  readonly seal: SealStatus | undefined;
  /**
   * What was changed after it was made: the password or key that opens the data key, the data key itself, or one of both, where no key
   * was given to tell. Absent if neither was.
   */
  readonly keyChange?: "opener" | "data-key" | "unknown";
}

const FORGED = "forged: this copy was changed without the key of the stage";

interface Present {
  readonly contents: Contents;
  readonly seal: SealState;
}

/** Oldest first. A copy that is damaged is among them, with what is wrong. */
export async function historyOf(location: LedgerLocation): Promise<readonly HistoryCopy[]> {
  const { histories } = await listKeys(location);
  const present = histories.length === 0 ? undefined : await presentOf(location);
  const copies: HistoryCopy[] = [];
  // One after the other: each is as large as the state.
  for (const seq of histories) {
    const kept = await readKept(location, seq);
    if (kept === undefined) continue;
    if ("problem" in kept) copies.push(unreadable(seq, kept.problem));
    else copies.push(await rowOf(location, present, seq, kept.checkpoint));
  }
  return copies;
}

/** Undefined where what is recorded by now cannot be loaded. */
async function presentOf(location: LedgerLocation): Promise<Present | undefined> {
  try {
    return await load(location);
  } catch (error) {
    if (isEngineError(error)) return undefined;
    throw error;
  }
}

async function rowOf(
  location: LedgerLocation,
  present: Present | undefined,
  seq: number,
  checkpoint: Checkpoint,
): Promise<HistoryCopy> {
  const from = present ?? { seal: "none", contents: new Contents() };
  try {
    const run = await runOf(location, seq, checkpoint);
    const resources = checkpoint.contents.records.size;
    const isBefore = present !== undefined && !hasSameKey(location, checkpoint.contents, present.contents);
    const { seal, hasOwnKey } = await sealOfCopy(location, from, location.keys.history(seq), checkpoint);
    const keyChange = hasOwnKey === undefined ? "unknown" : hasOwnKey ? "data-key" : "opener";
    return { seq, run, resources, problem: undefined, seal, ...(isBefore && { keyChange }) };
  } catch (error) {
    if (isEngineError(error, "STATE_FORGED")) return { ...unreadable(seq, FORGED), seal: "forged" };
    return unreadable(seq, messageOf(error));
  }
}

/** As it is recorded, which changes with what opens it. */
function hasSameKey({ seal }: LedgerLocation, one: Contents, other: Contents): boolean {
  if (!seal) return true;
  const owner = pluginOwner(seal.recorded.plugin);
  const [its, present] = [one, other].map(({ data }) => data.get(owner)?.get(seal.recorded.key));
  return its === undefined || same(its, present);
}

/** The run that a copy was made by; undefined where there is no such copy, or nothing has it any more. */
export async function runOfCopy(location: LedgerLocation, seq: number): Promise<EndedRun | undefined> {
  const kept = await readKept(location, seq);
  return kept && "checkpoint" in kept ? runOf(location, seq, kept.checkpoint) : undefined;
}

async function runOf(location: LedgerLocation, seq: number, { closed }: Checkpoint): Promise<EndedRun | undefined> {
  const known = closed ?? (await closedBy(location, seq));
  return known && endedRun(known);
}

function unreadable(seq: number, problem: string): HistoryCopy {
  return { seq, run: undefined, resources: undefined, problem, seal: undefined };
}

export function endedRun({ owner, command, outcome, summary }: ClosedSession): EndedRun {
  const { user, host, pid, since, ci } = owner;
  return {
    command,
    user,
    host,
    pid,
    since,
    ...(ci === undefined ? {} : { ci }),
    outcome,
    summary: withUnchanged(summary),
  };
}

/** States of earlier versions count unchanged resources as `skipped`. */
function withUnchanged(summary: RunSummary & { readonly skipped?: number }): RunSummary {
  const { skipped, ...counts } = summary;
  return skipped === undefined ? summary : { ...counts, unchanged: skipped };
}

/** Older versions did not write it into the copy: the journal has it until it is trimmed. */
async function closedBy({ store, keys }: LedgerLocation, seq: number): Promise<ClosedSession | undefined> {
  const text = await store.get(keys.entry(seq));
  const lines = (text === undefined ? undefined : readSegment(seq, text)?.lines) ?? [];
  const open = lines.find(({ entry }) => entry.open)?.entry.open;
  const close = lines.find(({ entry }) => entry.close)?.entry.close;
  return open && close && { owner: open.owner, command: open.command, ...close };
}
