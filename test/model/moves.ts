import { appendMoves } from "./append.js";
import { checkpointMoves } from "./checkpoint.js";
import { Forger } from "./forger.js";
import { History, type Line } from "./history.js";
import { loadMoves } from "./load.js";
import { openMoves } from "./open.js";
import { Past } from "./past.js";
import type { Rules, Scenario } from "./rules.js";
import { runMoves } from "./run.js";
import type { State } from "./state.js";
import { land } from "./store.js";
import { type Move, Turn, type World } from "./turn.js";

interface WorldWithForger extends World {
  readonly forger: Forger;
}

export function world(rules: Rules, scenario: Scenario): WorldWithForger {
  const isGuard = ({ seq, takeover, kind, grows }: Line) =>
    (rules.guardFirst && seq === 1) ||
    (rules.guardTakeovers && takeover) ||
    (rules.guardRollovers && grows && kind === "ops");
  const history = new History(isGuard);
  const within = { rules, scenario, history, past: new Past(history) };
  return { ...within, forger: new Forger(within) };
}

/** All possible next steps of one client. */
export function clientMoves(within: World, state: State, index: number): Move[] {
  const moves: Move[] = [];
  const client = state.clients[index];
  if (client === undefined) return moves;
  const turn = new Turn(within, state, index, client, moves);
  switch (client.step) {
    case "idle":
    case "list-again":
    case "probe":
    case "get":
    case "read":
    case "reread":
    case "verify":
    case "read-base":
    case "doubt":
      loadMoves(turn);
      break;
    case "open":
    case "open-back":
    case "verify-open":
      openMoves(turn);
      break;
    case "run":
      runMoves(turn);
      break;
    case "append-open":
    case "write":
    case "look":
    case "ask":
    case "own-back":
    case "create-next":
    case "next-back":
      appendMoves(turn);
      break;
    case "checkpoint":
    case "trim-plan":
    case "trim":
      checkpointMoves(turn);
      break;
  }
  if (within.scenario.crashes && client.role !== "reader" && client.step !== "idle") {
    turn.add(
      () => "crashes",
      (next) => turn.rest(next),
      true,
    );
  }
  return moves;
}

/** Landings of requests that no client waits for any more. */
export function lateMoves(within: World, state: State): Move[] {
  return state.late.map((request, at) => ({
    label: () => `a late ${request.kind} of ${request.seq} lands`,
    fault: false,
    apply: (next: State) => {
      next.late = next.late.toSpliced(at, 1);
      land(next, within, request, "a late request");
    },
  }));
}

export function allMoves(within: WorldWithForger, state: State): Move[] {
  const moves: Move[] = [];
  for (let i = 0; i < state.clients.length; i++) moves.push(...clientMoves(within, state, i));
  moves.push(...lateMoves(within, state), ...within.forger.moves(state));
  return moves;
}
