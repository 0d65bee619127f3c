import type { ContentId, History, HistoryId } from "./history.js";
import type { State } from "./state.js";

/** Something happened that the protocol promises never happens. */
export class Violation extends Error {
  override readonly name = "Violation";
}

/**
 * P1, P4, P5: whatever anybody relies on belongs to one history that only grows. Two clients that rely on histories of
 * which neither begins the other have forked it; this also says that an acknowledged line is never lost again.
 */
export function claim(state: State, history: History, known: HistoryId, who: string): void {
  if (history.beginsHistory(state.truth, known)) state.truth = known;
  else if (!history.beginsHistory(known, state.truth)) {
    throw new Violation(`${who} relies on ${history.describe(known)}, but true is ${history.describe(state.truth)}`);
  }
}

/**
 * P2: a load holds all that was true when it began. P3: the part of it that the loader takes as final is true and stays
 * so. Past that part are only lines of a segment whose length no owner has recorded yet: its writer was being fenced,
 * and whether its last line counts is not decided.
 */
export function checkLoad(
  state: State,
  history: History,
  load: { since: HistoryId; known: HistoryId; sure: HistoryId },
  who: string,
): void {
  if (!history.beginsHistory(load.since, load.known)) {
    throw new Violation(
      `${who} loaded ${history.describe(load.known)}, but ${history.describe(load.since)} was true before it began`,
    );
  }
  claim(state, history, load.sure, who);
}

/** Nobody is told that it was fenced by a session that opened because the one told had closed. */
export function checkFenced(history: History, own: ContentId, next: ContentId, who: string): void {
  if (history.firstLine(next).names.includes(own)) {
    throw new Violation(
      `${who} is told that it is fenced, though ${history.describeContent(next)} counts all its lines`,
    );
  }
}

/** A session that closed had recorded all that was unsettled before it, so its successor's `open` may carry changes. */
export function checkSettled(unsettled: number, who: string): void {
  if (unsettled > 0) {
    throw new Violation(`${who} opens after a close, but ${unsettled} segments before it are unsettled`);
  }
}
