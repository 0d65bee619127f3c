/** Applies the lines behind a checkpoint to what that holds, and keeps what they have to prove. */
import { EngineError } from "../../base/index.js";
import { checkNamed, recordIn } from "../../contract/index.js";
import type { Change, Contents } from "../change.js";
import type { ClosedSession } from "../checkpoint/checkpoint.js";
import { corrupt, tooNew } from "../corrupt.js";
import type { LedgerLocation } from "../ledger-location.js";
import type { Loaded } from "../load.js";
import { arrivingIn } from "../moving.js";
import { type Entry, isKnown, type Line } from "./entry.js";
import { advance, follows, type Head } from "./head.js";
import type { Tail } from "./tail.js";

const MEANINGLESS = "it is whole, and says what no version of this library writes";

/** Takes over the contents of `from`. @throws EngineError `STATE_FORMAT`, which no trimming can feign */
export function fold(location: LedgerLocation, from: Loaded, tail: Tail): Loaded | EngineError {
  let { head, closed } = from;
  let before: readonly string[] | undefined;
  for (const { segment, lines } of tail.counted) {
    const key = location.keys.entry(segment.seq);
    for (const line of lines) {
      const { open } = line.entry;
      if (open && !isKnown(open)) throw tooNew(key, open.format, open.version);
      if (!follows(head, line.entry)) {
        // A later copy goes on behind what an earlier one wrote.
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
  /** Before the line. */
  readonly head: Head;
  /** Digests in the entry before; undefined where only the checkpoint is known of that. */
  readonly before: readonly string[] | undefined;
  readonly tail: Tail;
}

function foldLine({ contents, evidence }: Loaded, { key, line, head, before, tail }: Folding): Head | EngineError {
  try {
    evidence.add(key, line, head, contents);
    if (isBehindOpenEnd(tail, line.entry, head)) evidence.addCut(key);
    if (line.entry.prev !== head.digest) evidence.addLoose(key, line.entry.prev, before);
    for (const change of line.entry.ops ?? []) apply(contents, change);
    return advance(head, line);
  } catch {
    // Somebody has put a digest in front of it.
    return corrupt(key, MEANINGLESS);
  }
}

/** @throws TypeError on what is no change */
function apply(contents: Contents, change: Change): void {
  if (change.op === "put") return contents.put(recordIn(change.record));
  contents.apply(change);
  if (change.op === "patch") {
    const record = contents.records.get(change.uid);
    if (record) checkNamed(record);
  }
}

/**
 * Whoever goes on behind entries whose end nobody knew has recorded that in the first line after its `open`: where it has not,
 * what comes after that end is missing. But for a session that had to leave, and one that moves a stage: they change nothing.
 */
function isBehindOpenEnd({ unsettled }: Tail, { seq, ops, close }: Entry, head: Head): boolean {
  const hasEnded = close !== undefined && close.outcome !== "left" && !arrivingIn(head);
  return (ops !== undefined || hasEnded) && unsettled.some((segment) => segment.seq < seq);
}
