/**
 * From a created `open` to a session that relies on it. If the lengths of earlier segments are not recorded, their
 * writers may still be adding lines: those are read again now that the `open` fences them, and recorded.
 */
import { queued } from "./append.js";
import type { ContentId, HistoryId } from "./history.js";
import { checkSeal, checkSettled, claim } from "./properties.js";
import { isClosed, reading } from "./reading.js";
import { type Client, idleClient, type State } from "./state.js";
import type { Turn } from "./turn.js";

/** The `open` exists. */
export function opened(turn: Turn, state: State): void {
  const { rules, history } = turn.world;
  const loaded = reading(history, rules, turn.client);
  if (!history.lineOf(turn.client.pending).takeover && loaded.is === "whole") {
    checkSettled(state, loaded.unsettled.length, turn.name);
  }
  const rereads = rules.settleRead === "after-create" && rules.settleVerify === "after-reread";
  if (rereads && mustSettle(turn)) readAgain(turn, state);
  else verifyOpen(turn, state);
}

export function verifyOpen(turn: Turn, state: State): void {
  if (turn.world.rules.verifyAfterOpen) turn.become(state, { step: "verify-open" });
  else rely(turn, state);
}

/** The `open` is verified, so it is the committed entry there. */
export function rely(turn: Turn, state: State): void {
  const { client, world } = turn;
  const { history, rules } = world;
  const known = history.extend(client.known, client.pending);
  if (!mustSettle(turn)) {
    run(turn, state, client.known);
    return;
  }
  if (rules.relyOnTakeover === "created") claim(state, world, known, `${turn.name}, having opened but not settled,`);
  if (rules.settleRead === "after-create" && rules.settleVerify === "before-reread") readAgain(turn, state);
  else {
    const loaded = reading(history, rules, client);
    if (loaded.is === "whole") settle(turn, state, loaded);
  }
}

/** With no length to record, the owner continues at once. */
function run(turn: Turn, state: State, loaded: HistoryId): void {
  const { client, world } = turn;
  const key = checkSeal(state, world, { checkpoint: client.checkpoint, known: loaded }, turn.name);
  if (key === undefined) {
    turn.rest(state);
    return;
  }
  const known = world.history.extend(loaded, client.pending);
  // One that is alone in its entry proves nothing yet: its owner's next write may meet the fence.
  const isAlone = world.rules.opensAlone && world.history.lineOf(client.pending).takeover;
  if (!isAlone) claim(state, world, known, `${turn.name}, having opened,`);
  state.clients[turn.index] = { ...owner(turn), step: "run", known, key };
}

function mustSettle(turn: Turn): boolean {
  const { client, world } = turn;
  const { history, rules } = world;
  const final = client.known === 0 || isFinal(turn, client.known);
  const loaded = reading(history, rules, client);
  return !final || loaded.is !== "whole" || loaded.unsettled.length > 0;
}

/** True if no more lines can come before the owner's `open`, and the `open` shows that. */
function isFinal(turn: Turn, known: HistoryId): boolean {
  const { history, rules } = turn.world;
  const { content, line } = history.history(known);
  const { names, prev } = history.lineOf(turn.client.pending);
  if (rules.opensName) return names.includes(content);
  return !history.firstLine(content).grows || (isClosed(history, content) && (prev === line || !rules.opensSettle));
}

function readAgain(turn: Turn, state: State): void {
  if (turn.world.rules.rereads === "all") {
    turn.become(state, { step: "list-again", view: [], stale: 0 });
    return;
  }
  turn.become(state, { step: "reread", target: turn.world.history.history(turn.client.known).seq });
}

/** The new owner's next line records how many lines count before its `open`. */
export function settle(
  turn: Turn,
  state: State,
  read: { readonly known: HistoryId; readonly unsettled: readonly ContentId[] },
): void {
  const { client, world } = turn;
  const { history } = world;
  const newest = history.history(read.known).content;
  const names = newest === 0 || isFinal(turn, read.known) ? read.unsettled : [...read.unsettled, newest];
  if (names.length === 0) {
    run(turn, state, read.known);
    return;
  }
  const key = checkSeal(state, world, { checkpoint: client.checkpoint, known: read.known }, turn.name);
  if (key === undefined) {
    turn.rest(state);
    return;
  }
  const settling = turn.as({ ...owner(turn), key, known: history.extend(read.known, client.pending) });
  state.clients[turn.index] = queued(settling, { kind: "settled", names }).client;
}

/** The client as the owner of its segment, without its load. */
function owner(turn: Turn): Client {
  const { role, grows, session, pending } = turn.client;
  const own = turn.world.history.push(0, pending);
  return { ...idleClient(role, grows), session, own, handle: pending, left: turn.world.scenario.ops };
}
