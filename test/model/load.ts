import { checkLoad, checkRefusal, checkSeal } from "./properties.js";
import { complete, reading } from "./reading.js";
import { rely, settle, verifyOpen } from "./settle.js";
import type { State } from "./state.js";
import { newerCheckpoints, newestCheckpoint } from "./store.js";
import type { Turn } from "./turn.js";

/** Base, then the entries after it up to the first missing one; unsettled ones are read again; then verify. */
export function loadMoves(turn: Turn): void {
  const { client, state, world } = turn;
  const { rules, scenario, history } = world;
  const next = client.base + client.view.length + 1;
  switch (client.step) {
    case "idle":
    case "list-again": {
      if (client.step === "idle" && client.role === "writer" && state.sessions >= scenario.sessions) return;
      const base = newestCheckpoint(state);
      const step = base === 0 ? "read" : rules.bareLoad === "probe-first" ? "probe" : "get";
      turn.add(
        () => `lists, newest checkpoint ${base}`,
        (s) => turn.become(s, { step, base, checkpoint: 0, baseHistory: 0, since: s.truth }),
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
      const checkpoint = state.checkpoints[client.base] ?? 0;
      const found = history.checkpointOf(checkpoint).folds;
      const isOther = found !== 0 && history.history(found).seq !== client.base;
      const { absent } = client;
      turn.add(
        () => `gets checkpoint ${client.base}${found === 0 ? ": gone" : ""}`,
        (s) => {
          if (found === 0) turn.rest(s);
          else if (isOther) turn.become(s, { step: "doubt" });
          else if (absent && client.pending === 0) {
            useLoad(turn.as({ checkpoint, baseHistory: found, known: found, sure: found, absent: false }), s);
          } else turn.become(s, { step: "read", checkpoint, baseHistory: found, absent: false });
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
          else if (client.step === "doubt") {
            checkRefusal(s, turn.name, "corrupt");
            turn.rest(s);
          } else if (isLooseBase(turn)) turn.become(s, { step: "read-base" });
          else useLoad(turn, s);
        },
      );
      return;
    }
    case "read-base":
      readBase(turn);
      return;
    default:
      return;
  }
}

/** True if the `open` after the checkpoint names another line than the last one of the checkpoint. */
export function isLooseBase({ client, world }: Turn): boolean {
  const { history, rules } = world;
  const [first] = client.view;
  if (client.base === 0 || first === undefined || rules.opensName || !rules.opensNear) return false;
  return history.firstLine(first).prev !== history.history(client.baseHistory).line;
}

/** Checks whether the line that such an `open` names is one that the checkpoint covers. */
function readBase(turn: Turn): void {
  const { client, state, world } = turn;
  const { history, rules } = world;
  const found = state.journal[client.base] ?? 0;
  const { content } = history.history(client.baseHistory);
  const isOwn =
    history.beginsContent(content, found) && history.hasLine(content, history.firstLine(client.view[0] ?? 0).prev);
  turn.add(
    () => `reads ${found === 0 ? `${client.base}: gone` : turn.describe(found)}, of the checkpoint`,
    (s) => {
      if (!isOwn) {
        const isOvertaken = rules.baseAgain && newerCheckpoints(s, client.base) > 0;
        if (!isOvertaken) checkRefusal(s, turn.name, "forged: its open names another line");
        turn.rest(s);
      } else if (client.pending !== 0) rely(turn, s);
      else useLoad(turn, s);
    },
  );
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

/** All existing entries have been read: count the result, read again entries that may have grown, or verify. */
function conclude(at: Turn, state: State, justRead = 0): void {
  const turn = beforeOpen(at);
  if (turn === undefined) {
    at.rest(state);
    return;
  }
  const { client, world } = turn;
  const { rules, history } = world;
  const result = reading(history, rules, client);
  if (result.is === "stale" && result.seq !== justRead) {
    at.become(state, { step: "reread", target: result.seq });
    return;
  }
  if (result.is !== "whole") {
    at.become(state, { step: "doubt" });
    return;
  }
  if (client.pending !== 0) {
    if (rules.settleVerify === "before-reread") settle(turn, state, result);
    else verifyOpen(rules.rereads === "all" ? turn.as({ known: result.known }) : turn, state);
    return;
  }
  const loaded = turn.as({ known: result.known, sure: result.sure });
  const bare = client.view.length === 0;
  // With a base, and probing first, an empty view means that the entry was deleted between the two reads.
  const trusted = bare && (client.base === 0 || rules.bareLoad === "trusted");
  const unverified =
    client.role === "reader" ? !rules.verifyLoad : bare ? rules.bareLoad !== "probe-first" : !rules.verifyBeforeOpen;
  if (trusted || unverified) useLoad(loaded, state);
  else loaded.become(state, { step: "verify" });
}

function useLoad(turn: Turn, state: State): void {
  const { client, world } = turn;
  const key = checkSeal(state, world, client, turn.name);
  if (key === undefined) {
    turn.rest(state);
    return;
  }
  if (client.role === "reader") {
    checkLoad(state, world, client, turn.name);
    turn.rest(state);
  } else turn.become(state, { step: "open", key });
}

/**
 * The view before its own `open` of an owner that loads everything again. Undefined: the `open` is not at the end any
 * more.
 */
function beforeOpen(turn: Turn): Turn | undefined {
  const { client, world } = turn;
  if (client.pending === 0 || world.rules.rereads === "segment") return turn;
  if (client.view.at(-1) !== world.history.push(0, client.pending)) return undefined;
  return turn.as({ view: client.view.slice(0, -1) });
}
