import { SeenStates } from "./fingerprint.js";
import { allMoves, world } from "./moves.js";
import { Violation } from "./properties.js";
import type { Rules, Scenario } from "./rules.js";
import { cloneState, initialState, type State } from "./state.js";

export interface Found {
  readonly violation: string;
  /** The steps, in order. */
  readonly trace: readonly string[];
}

export interface SystematicResult {
  readonly found?: Found;
  /** Every state that the scenario can reach was searched. */
  readonly complete: boolean;
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
}

/** Searches every reachable state, nearest first, so the trace that it finds is a shortest one. */
export function searchSystematically(
  rules: Rules,
  scenario: Scenario,
  limits: { readonly states: number; readonly milliseconds: number },
): SystematicResult {
  const within = world(rules, scenario);
  const seen = new SeenStates();
  // For each state in the order of discovery: the state before it, and the move that led to it.
  const parents: number[] = [-1];
  const choices: number[] = [-1];
  const until = performance.now() + limits.milliseconds;
  let level = [initialState(scenario)];
  seen.add(level[0] ?? initialState(scenario));
  let firstOfLevel = 0;
  let transitions = 0;
  let depth = 0;
  const trace = (from: number, last: string): string[] => {
    const path: number[] = [];
    for (let node = from; (parents[node] ?? -1) >= 0; node = parents[node] ?? -1) path.unshift(choices[node] ?? 0);
    let state = initialState(scenario);
    const labels = path.map((choice) => {
      const move = allMoves(within, state)[choice];
      if (move === undefined) throw new RangeError("a path cannot be walked again");
      const label = move.label();
      state = cloneState(state);
      move.apply(state);
      return label;
    });
    return [...labels, last];
  };
  while (level.length > 0) {
    const next: State[] = [];
    const firstOfNext = firstOfLevel + level.length;
    for (const [offset, state] of level.entries()) {
      for (const [choice, move] of allMoves(within, state).entries()) {
        transitions++;
        const after = cloneState(state);
        try {
          move.apply(after);
        } catch (error) {
          if (!(error instanceof Violation)) throw error;
          const found = { violation: error.message, trace: trace(firstOfLevel + offset, move.label()) };
          return { found, complete: false, states: seen.size, transitions, depth };
        }
        if (!seen.add(after)) continue;
        next.push(after);
        parents.push(firstOfLevel + offset);
        choices.push(choice);
      }
      if (seen.size > limits.states || ((offset & 255) === 0 && performance.now() > until)) {
        return { complete: false, states: seen.size, transitions, depth };
      }
    }
    level = next;
    firstOfLevel = firstOfNext;
    depth++;
  }
  return { complete: true, states: seen.size, transitions, depth };
}
