/** The copies of the state that are kept for people: of when, by whom, and what is in them. */
import { messageOf, type ProcessName, type RunSummary } from "../base/index.js";
import { type ClosedSession, type LedgerLocation, listKeys, readSegment } from "../state/index.js";
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
  /** Why it cannot be read. */
  readonly problem: string | undefined;
}

/** Oldest first. A copy that is damaged is among them, with what is wrong. */
export async function historyOf(location: LedgerLocation): Promise<readonly HistoryCopy[]> {
  const { histories } = await listKeys(location);
  const copies: HistoryCopy[] = [];
  // One after the other: each is as large as the state.
  for (const seq of histories) copies.push(...(await readHistoryCopy(location, seq)));
  return copies;
}

export async function readHistoryCopy(location: LedgerLocation, seq: number): Promise<readonly HistoryCopy[]> {
  const kept = await readKept(location, seq);
  if (kept === undefined) return [];
  if ("problem" in kept) return [unreadable(seq, kept.problem)];
  const { contents, closed } = kept.checkpoint;
  const known = closed ?? (await closedBy(location, seq));
  try {
    return [{ seq, run: known && endedRun(known), resources: contents.records.size, problem: undefined }];
  } catch (error) {
    return [unreadable(seq, messageOf(error))];
  }
}

function unreadable(seq: number, problem: string): HistoryCopy {
  return { seq, run: undefined, resources: undefined, problem };
}

export function endedRun({ owner, command, outcome, summary }: ClosedSession): EndedRun {
  const { user, host, pid, since, ci } = owner;
  return { command, user, host, pid, since, ...(ci === undefined ? {} : { ci }), outcome, summary };
}

/** Older versions did not write it into the copy: the journal has it until it is trimmed. */
async function closedBy({ store, keys }: LedgerLocation, seq: number): Promise<ClosedSession | undefined> {
  const text = await store.get(keys.entry(seq));
  const lines = (text === undefined ? undefined : readSegment(seq, text)?.lines) ?? [];
  const open = lines.find(({ entry }) => entry.open)?.entry.open;
  const close = lines.find(({ entry }) => entry.close)?.entry.close;
  return open && close && { owner: open.owner, command: open.command, ...close };
}
