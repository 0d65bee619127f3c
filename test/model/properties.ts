import { describeContent, describeHistory } from "./describing.js";
import { prove } from "./evidence.js";
import type { CheckpointId, ContentId, HistoryId, KeyId } from "./history.js";
import type { State } from "./state.js";
import type { World } from "./turn.js";

/** Something happened that the protocol promises never happens. */
export class Violation extends Error {
  override readonly name = "Violation";
}

/**
 * P1, P4, P5: all histories that clients rely on belong to one that only grows. Two clients that rely on histories of
 * which neither begins the other have forked it; this also says that an acknowledged line is never lost again. If a
 * forger has put back an older store, each client has a history of its own, and P6 holds.
 */
export function claim(state: State, world: World, known: HistoryId, who: string): void {
  const { history } = world;
  if (state.forged > 0) wrote(state, world, known);
  else if (history.beginsHistory(state.truth, known)) state.truth = known;
  else if (!history.beginsHistory(known, state.truth)) {
    const [one, other] = [known, state.truth].map((id) => describeHistory(history, id));
    throw new Violation(`${who} relies on ${one}, but true is ${other}`);
  }
}

/**
 * P2: a load holds everything that was true when it began. P3: the part of it that the loader takes as final is true
 * and stays so. Past that part are only lines of a segment whose length no owner has recorded yet: its writer was being
 * fenced, and whether its last line counts is undecided.
 */
export function checkLoad(
  state: State,
  world: World,
  load: { since: HistoryId; known: HistoryId; sure: HistoryId },
  who: string,
): void {
  const { history } = world;
  if (state.forged > 0) return;
  if (!history.beginsHistory(load.since, load.known)) {
    const [loaded, before] = [load.known, load.since].map((id) => describeHistory(history, id));
    throw new Violation(`${who} loaded ${loaded}, but ${before} was true before it began`);
  }
  claim(state, world, load.sure, who);
}

/**
 * A client that fails to load has met a forger's work, or an overtaken load; a sound ledger is never taken for damaged.
 */
export function checkRefusal(state: State, who: string, why: string): void {
  if (state.forged === 0) throw new Violation(`${who} finds a sound ledger ${why}`);
}

/**
 * P6: in a sealed stage, a client continues from lines that clients with a key have written, in that order, up to some
 * moment. Undefined: the client refuses it. Otherwise the key under which it continues.
 */
export function checkSeal(
  state: State,
  world: World,
  load: { readonly checkpoint: CheckpointId; readonly known: HistoryId },
  who: string,
): KeyId | undefined {
  if (!world.scenario.sealed) return 0;
  const proof = prove(world.history, world.rules, load);
  if (proof.is === "forged") {
    checkRefusal(state, who, `forged: ${proof.why}`);
    return undefined;
  }
  if (world.scenario.forgeries > 0 && !world.past.isTrue(state.past, load.known))
    throw believed(world, load.known, who);
  return proof.key;
}

export function believed({ history }: World, known: HistoryId, who: string): Violation {
  return new Violation(`${who} believes ${describeHistory(history, known)}, which nobody with the key wrote so`);
}

/** A client with the key has written all of it, the last line just now. */
export function wrote(state: State, { scenario, past }: World, known: HistoryId): void {
  if (scenario.forgeries > 0) state.past = past.with(state.past, known);
}

/** A session that closed before its successor opened is never reported as fenced. */
export function checkFenced(state: State, world: World, own: ContentId, next: ContentId, who: string): void {
  const { history } = world;
  if (state.forged === 0 && history.firstLine(next).names.includes(own)) {
    throw new Violation(
      `${who} is told that it is fenced, though ${describeContent(history, next)} counts all its lines`,
    );
  }
}

/** A session that closed had recorded all that was unsettled before it, so its successor's `open` may carry changes. */
export function checkSettled(state: State, unsettled: number, who: string): void {
  if (state.forged === 0 && unsettled > 0) {
    throw new Violation(`${who} opens after a close, but ${unsettled} segments before it are unsettled`);
  }
}
