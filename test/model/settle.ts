/**
 * From a created `open` to a session that relies on it. Where the lengths of earlier segments are not recorded, their
 * writers may still be adding lines: those are read again now that the `open` fences them, and recorded.
 */
import { queued } from "./append.js";
import type { ContentId, HistoryId } from "./history.js";
import { checkSettled, claim } from "./properties.js";
import { reading } from "./reading.js";
import { type Client, idleClient, type State } from "./state.js";
import type { Turn } from "./turn.js";

/** The `open` is there. */
export function opened(turn: Turn, state: State): void {
  const { rules, history } = turn.world;
  const loaded = reading(history, rules, turn.client);
  if (!history.lineOf(turn.client.pending).takeover && loaded.is === "whole") {
    checkSettled(loaded.unsettled.length, turn.name);
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
    claim(state, history, known, `${turn.name}, having opened,`);
    state.clients[turn.index] = { ...owner(turn), step: "run", known };
    return;
  }
  if (rules.relyOnTakeover === "created") claim(state, history, known, `${turn.name}, having opened but not settled,`);
  if (rules.settleRead === "after-create" && rules.settleVerify === "before-reread") readAgain(turn, state);
  else {
    const loaded = reading(history, rules, client);
    if (loaded.is === "whole") settle(turn, state, loaded);
  }
}

function mustSettle(turn: Turn): boolean {
  const { client, world } = turn;
  const { history, rules } = world;
  const before = history.history(client.known).content;
  const final = client.known === 0 || history.lineOf(client.pending).names.includes(before);
  const loaded = reading(history, rules, client);
  return !final || loaded.is !== "whole" || loaded.unsettled.length > 0;
}

function readAgain(turn: Turn, state: State): void {
  turn.become(state, { step: "reread", target: turn.world.history.history(turn.client.known).seq });
}

/** The new owner's next line records how much counts of what came before its `open`. */
export function settle(
  turn: Turn,
  state: State,
  read: { readonly known: HistoryId; readonly unsettled: readonly ContentId[] },
): void {
  const { history } = turn.world;
  const { pending } = turn.client;
  const newest = history.history(read.known).content;
  const names = history.lineOf(pending).names.includes(newest) ? read.unsettled : [...read.unsettled, newest];
  const settling = turn.as({ ...owner(turn), known: history.extend(read.known, pending) });
  state.clients[turn.index] = queued(settling, { kind: "settled", names }).client;
}

/** The client as the owner of its segment, its load forgotten. */
function owner(turn: Turn): Client {
  const { role, grows, session, pending } = turn.client;
  const own = turn.world.history.push(0, pending);
  return { ...idleClient(role, grows), session, own, handle: pending, left: turn.world.scenario.ops };
}
