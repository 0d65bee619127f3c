/** A stage on its way from one store to another: which of the two may be used, and what is said of the other. */
import { EngineError } from "../base/index.js";
import type { StateStore } from "../contract/index.js";
import type { Arriving, Retired } from "./journal/entry.js";
import { emptyHead, type Head } from "./journal/head.js";
import { readSegment } from "./journal/segment.js";
import type { LedgerLocation } from "./ledger-location.js";

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
