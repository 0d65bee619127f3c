import type { History, LineId } from "./history.js";
import { claim } from "./properties.js";
import type { Request, State } from "./state.js";

/** Carries out a request, whoever still waits for it. False: the key to create exists. */
export function land(state: State, history: History, request: Request, who: string): boolean {
  const { kind, seq, value } = request;
  switch (kind) {
    case "create":
      if (state.journal[seq] !== 0) return false;
      state.journal[seq] = value;
      useSession(state, history, request);
      return true;
    case "checkpoint":
      if (state.checkpoints[seq] !== 0) return false;
      state.checkpoints[seq] = value;
      claim(state, history, value, `${who}'s checkpoint ${seq}`);
      return true;
    case "remove":
      if (seq < 0) state.checkpoints[-seq] = 0;
      else if (value === 0 || state.journal[seq] !== 0) state.journal[seq] = value;
      return true;
  }
}

/** A session is numbered by the first write that could be seen; a client whose `create` was refused has used none. */
export function useSession(state: State, history: History, request: Request): void {
  if (request.kind === "create") state.sessions = Math.max(state.sessions, history.firstLine(request.value).session);
}

/** Writes through an open file: to nowhere, once that file was deleted, even when the name was given to another. */
export function writeLine(state: State, history: History, at: { seq: number; handle: LineId; line: LineId }): void {
  const there = state.journal[at.seq] ?? 0;
  if (there !== 0 && history.content(there).first === at.handle) state.journal[at.seq] = history.push(there, at.line);
}

export function newestCheckpoint(state: State): number {
  let seq = state.checkpoints.length - 1;
  while (seq > 0 && state.checkpoints[seq] === 0) seq--;
  return seq;
}

/** Verifying asks this: how many checkpoints newer than the base are there? */
export function newerCheckpoints(state: State, base: number): number {
  let count = 0;
  for (let seq = base + 1; seq < state.checkpoints.length; seq++) if (state.checkpoints[seq] !== 0) count++;
  return count;
}
