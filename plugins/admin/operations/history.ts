/** Lists the copies of the state that can be restored, with their date, author and contents. */
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

/** A finished run, or a finished command that changed the state, as recorded by its session. */
export interface EndedRun extends Pick<ProcessName, "user" | "host" | "pid"> {
  /** A phase such as `up`, or a command that changes the state, such as `restore`. */
  readonly command: string;
  /** Start time, as ISO 8601. */
  readonly since: string;
  /** URL of the CI run, if it ran in CI. */
  readonly ci?: string;
  /** Id of the commit that CI had checked out. */
  readonly commit?: string;
  /** `left`: it stopped in favour of another run before it changed anything. */
  readonly outcome: "done" | "failed" | "left";
  readonly summary: RunSummary;
}

/** A copy of the state that can be restored. */
export interface HistoryCopy {
  /** Number of the last entry that the copy contains; the argument of `restore`. */
  readonly seq: number;
  /**
   * The run or command that ended with this entry; undefined if neither the copy nor the journal records it any more.
   */
  readonly run: EndedRun | undefined;
  /** Number of resources in it; undefined if it cannot be read. */
  readonly resources: number | undefined;
  /** Reason why it cannot be read, or must not be trusted. */
  readonly problem: string | undefined;
  /** Shows whether its author is proven; undefined if it cannot be read. */
  readonly seal: SealStatus | undefined;
  /**
   * The key change since the copy was made. `opener`: the password or key that opens the data key. `data-key`: the data
   * key itself. `unknown`: one of the two, if no key was given to tell. Absent if neither changed.
   */
  readonly keyChange?: "opener" | "data-key" | "unknown";
}

const FORGED = "forged: this copy was changed without the key of the stage";

interface Present {
  readonly contents: Contents;
  readonly seal: SealState;
}

/** Returns the copies, oldest first. A damaged copy is included with its problem. */
export async function historyOf(location: LedgerLocation): Promise<readonly HistoryCopy[]> {
  const { histories } = await listKeys(location);
  const present = histories.length === 0 ? undefined : await presentOf(location);
  const copies: HistoryCopy[] = [];
  // One at a time: each copy is as large as the state.
  for (const seq of histories) {
    const kept = await readKept(location, seq);
    if (kept === undefined) continue;
    if ("problem" in kept) copies.push(unreadable(seq, kept.problem));
    else copies.push(await rowOf(location, present, seq, kept.checkpoint));
  }
  return copies;
}

/** Returns undefined if the present state cannot be loaded. */
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

/** Compares the records of the key, which also change with the password or key that opens it. */
function hasSameKey({ seal }: LedgerLocation, one: Contents, other: Contents): boolean {
  if (!seal) return true;
  const owner = pluginOwner(seal.recorded.plugin);
  const [its, present] = [one, other].map(({ data }) => data.get(owner)?.get(seal.recorded.key));
  return its === undefined || same(its, present);
}

/** Returns the run that made a copy; undefined if there is no such copy, or its run is not recorded any more. */
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
  const { user, host, pid, since, ci, commit } = owner;
  return {
    command,
    user,
    host,
    pid,
    since,
    ...(ci === undefined ? {} : { ci }),
    ...(commit === undefined ? {} : { commit }),
    outcome,
    summary: withUnchanged(summary),
  };
}

/** States of earlier versions count unchanged resources as `skipped`. */
function withUnchanged(summary: RunSummary & { readonly skipped?: number }): RunSummary {
  const { skipped, ...counts } = summary;
  return skipped === undefined ? summary : { ...counts, unchanged: skipped };
}

/** Older versions did not write the run into the copy: the journal has it until it is trimmed. */
async function closedBy({ store, keys }: LedgerLocation, seq: number): Promise<ClosedSession | undefined> {
  const text = await store.get(keys.entry(seq));
  const lines = (text === undefined ? undefined : readSegment(seq, text)?.lines) ?? [];
  const open = lines.find(({ entry }) => entry.open)?.entry.open;
  const close = lines.find(({ entry }) => entry.close)?.entry.close;
  return open && close && { owner: open.owner, command: open.command, ...close };
}
