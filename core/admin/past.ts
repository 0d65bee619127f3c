/** The copies of the state that are kept for people: of when, by whom, and what is in them. */
import { messageOf } from "../base/index.js";
import { type ClosedSession, type LedgerPlace, parseCheckpoint, readSegment, survey } from "../state/index.js";

export interface PastState {
  /** The entry that it is the state after; what `restore` takes. */
  readonly seq: number;
  /** The session that closed with it; undefined where neither the copy nor the journal has it any more. */
  readonly closed: ClosedSession | undefined;
  /** Resources in it; undefined where it cannot be read. */
  readonly resources: number | undefined;
  /** Why it cannot be read. */
  readonly problem: string | undefined;
}

/** Oldest first. A copy that is damaged is among them, with what is wrong. */
export async function pastStates(place: LedgerPlace): Promise<readonly PastState[]> {
  const { histories } = await survey(place);
  const past: PastState[] = [];
  // One after the other: each is as large as the state.
  for (const seq of histories) past.push(...(await readPast(place, seq)));
  return past;
}

async function readPast(place: LedgerPlace, seq: number): Promise<readonly PastState[]> {
  const { store, keys } = place;
  const key = keys.history(seq);
  const text = await store.get(key);
  // Trimmed since it was listed.
  if (text === undefined) return [];
  try {
    const { contents, closed } = parseCheckpoint(key, seq, text);
    const known = closed ?? (await closedBy(place, seq));
    return [{ seq, closed: known, resources: contents.records.size, problem: undefined }];
  } catch (error) {
    return [{ seq, closed: undefined, resources: undefined, problem: messageOf(error) }];
  }
}

/** Older versions did not write it into the copy: the journal has it until it is trimmed. */
async function closedBy({ store, keys }: LedgerPlace, seq: number): Promise<ClosedSession | undefined> {
  const text = await store.get(keys.entry(seq));
  const lines = (text === undefined ? undefined : readSegment(seq, text)?.lines) ?? [];
  const open = lines.find(({ entry }) => entry.open)?.entry.open;
  const close = lines.find(({ entry }) => entry.close)?.entry.close;
  return open && close && { owner: open.owner, command: open.command, ...close };
}
