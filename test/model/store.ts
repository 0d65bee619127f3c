import type { History, HistoryId, LineId } from "./history.js";
import { claim, wrote } from "./properties.js";
import type { Request, State } from "./state.js";
import type { World } from "./turn.js";

/** Carries out a request, even if its client no longer waits for it. False: the key to create exists. */
export function land(state: State, world: World, request: Request, who: string): boolean {
  const { history, past, scenario } = world;
  const { kind, seq, value, known } = request;
  switch (kind) {
    case "create":
      if (state.journal[seq] !== 0) return false;
      state.journal[seq] = value;
      wrote(state, world, known);
      useSession(state, history, request);
      return true;
    case "checkpoint":
      if (state.checkpoints[seq] !== 0) return false;
      state.checkpoints[seq] = value;
      if (scenario.forgeries > 0) state.past = past.withCheckpoint(state.past, value);
      claim(state, world, history.checkpointOf(value).folds, `${who}'s checkpoint ${seq}`);
      return true;
    case "remove":
      if (seq < 0) state.checkpoints[-seq] = 0;
      else if (value === 0 || state.journal[seq] !== 0) state.journal[seq] = value;
      return true;
  }
}

/**
 * A session is numbered by the first write that could be seen; a client whose `create` was refused has used no number.
 */
export function useSession(state: State, history: History, request: Request): void {
  if (request.kind === "create") state.sessions = Math.max(state.sessions, history.firstLine(request.value).session);
}

/** Writes through an open file: without effect, once that file was deleted, even if the name was given to another. */
export function writeLine(
  state: State,
  world: World,
  at: { seq: number; handle: LineId; line: LineId; known: HistoryId },
): void {
  const { history } = world;
  const there = state.journal[at.seq] ?? 0;
  if (there === 0 || history.content(there).first !== at.handle) return;
  state.journal[at.seq] = history.push(there, at.line);
  wrote(state, world, at.known);
}

export function newestCheckpoint(state: State): number {
  let seq = state.checkpoints.length - 1;
  while (seq > 0 && state.checkpoints[seq] === 0) seq--;
  return seq;
}

/** The number of checkpoints newer than the base, which a verify reads. */
export function newerCheckpoints(state: State, base: number): number {
  let count = 0;
  for (let seq = base + 1; seq < state.checkpoints.length; seq++) if (state.checkpoints[seq] !== 0) count++;
  return count;
}
