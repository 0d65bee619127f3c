import { checkLoad, Violation } from "./properties.js";
import { complete, reading } from "./reading.js";
import { settle, verifyOpen } from "./settle.js";
import type { State } from "./state.js";
import { newerCheckpoints, newestCheckpoint } from "./store.js";
import type { Turn } from "./turn.js";

/** Base, then the entries after it up to the first missing; what is unsettled is read again; then verify. */
export function loadMoves(turn: Turn): void {
  const { client, state, world } = turn;
  const { rules, scenario, history } = world;
  const next = client.base + client.view.length + 1;
  switch (client.step) {
    case "idle": {
      if (client.role === "writer" && state.sessions >= scenario.sessions) return;
      const base = newestCheckpoint(state);
      const step = base === 0 ? "read" : rules.bareLoad === "probe-first" ? "probe" : "get";
      turn.add(
        () => `lists, newest checkpoint ${base}`,
        (s) => turn.become(s, { step, base, since: s.truth }),
      );
      return;
    }
    case "probe": {
      const absent = state.journal[next] === 0;
      turn.add(
        () => `looks for entry ${next}: ${absent ? "absent" : "there"}`,
        (s) => turn.become(s, { step: "get", absent }),
      );
      return;
    }
    case "get": {
      const found = state.checkpoints[client.base] ?? 0;
      const { absent } = client;
      turn.add(
        () => `gets checkpoint ${client.base}${found === 0 ? ": gone" : ""}`,
        (s) => {
          if (found === 0) turn.rest(s);
          else if (absent) useLoad(turn.as({ baseHistory: found, known: found, sure: found, absent: false }), s);
          else turn.become(s, { step: "read", baseHistory: found });
        },
      );
      return;
    }
    case "read":
      readNext(turn, next);
      return;
    case "reread": {
      const i = client.target - client.base - 1;
      const found = state.journal[client.target] ?? 0;
      const lost =
        found === 0 || (rules.sameFile && !history.beginsContent(complete(history, client.view[i] ?? 0), found));
      turn.add(
        () => `reads again ${found === 0 ? `${client.target}: gone` : turn.describe(found)}`,
        (s) => {
          if (lost) {
            turn.become(s, { step: "doubt" });
            return;
          }
          const view = client.view.with(i, found);
          conclude(turn.as({ view, stale: client.stale & ~(1 << i), target: 0 }), s, client.target);
        },
      );
      return;
    }
    case "verify":
    case "doubt": {
      const newer = newerCheckpoints(state, client.base);
      turn.add(
        () => `verifies: ${newer} newer checkpoints${client.step === "doubt" ? ", in doubt" : ""}`,
        (s) => {
          if (newer >= rules.keep) turn.rest(s);
          else if (client.step === "doubt") throw new Violation(`${turn.name} finds a sound ledger corrupt`);
          else useLoad(turn, s);
        },
      );
      return;
    }
    default:
      return;
  }
}

function readNext(turn: Turn, seq: number): void {
  const { client, state, world } = turn;
  const early = world.rules.nextLook === "before-read";
  const found = state.journal[seq] ?? 0;
  if (early && client.target !== seq) {
    // Stands for a batch of reads of which a later one was answered first.
    const absent = state.journal[seq + 1] === 0;
    turn.add(
      () => `looks for entry ${seq + 1} already: ${absent ? "absent" : "there"}`,
      (s) => turn.become(s, { target: seq, absent }),
    );
    return;
  }
  turn.add(
    () => `reads ${found === 0 ? `${seq}: absent` : turn.describe(found)}`,
    (s) => {
      if (found === 0) {
        conclude(turn.as({ target: 0, absent: false }), s);
        return;
      }
      const view = [...client.view, found];
      const stale = (1 << (view.length - 1)) - 1;
      const end = early && client.absent;
      if (end) conclude(turn.as({ view, stale, target: 0, absent: false }), s);
      else turn.become(s, { view, stale, target: 0, absent: false });
    },
  );
}

/** All that was there has been read: count it, read again what may have grown, or verify what came out. */
function conclude(turn: Turn, state: State, justRead = 0): void {
  const { client, world } = turn;
  const { rules, history } = world;
  const result = reading(history, rules, client);
  if (result.is === "stale" && result.seq !== justRead) {
    turn.become(state, { step: "reread", target: result.seq });
    return;
  }
  if (result.is !== "whole") {
    turn.become(state, { step: "doubt" });
    return;
  }
  if (client.pending !== 0) {
    if (rules.settleVerify === "before-reread") settle(turn, state, result);
    else verifyOpen(turn, state);
    return;
  }
  const loaded = turn.as({ known: result.known, sure: result.sure });
  const bare = client.view.length === 0;
  // With a base, and probing first, an empty view means that the entry went away between the two looks.
  const trusted = bare && (client.base === 0 || rules.bareLoad === "trusted");
  const unverified =
    client.role === "reader" ? !rules.verifyLoad : bare ? rules.bareLoad !== "probe-first" : !rules.verifyBeforeOpen;
  if (trusted || unverified) useLoad(loaded, state);
  else loaded.become(state, { step: "verify" });
}

function useLoad(turn: Turn, state: State): void {
  const { client, world } = turn;
  if (client.role === "reader") {
    checkLoad(state, world.history, client, turn.name);
    turn.rest(state);
  } else turn.become(state, { step: "open" });
}
