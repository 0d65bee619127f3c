import { editMoves } from "./edits.js";
import { clientMoves, lateMoves, world } from "./moves.js";
import { Violation } from "./properties.js";
import type { Rules, Scenario } from "./rules.js";
import { initialState } from "./state.js";
import type { Found } from "./systematic.js";
import type { Move } from "./turn.js";

export interface RandomResult {
  readonly found?: Found & { readonly seed: number };
  readonly runs: number;
  readonly steps: number;
  /** Number of runs in which something was trimmed: a measure of how deep they go. */
  readonly trimmed: number;
}

/** Enough for a dozen sessions that sleep now and then. */
const STEPS = 700;

/** A small generator of numbers in [0, 1): a seed names a run for good. */
function numbers(seed: number): () => number {
  let at = Math.imul(seed, 0x9e3779b1);
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let mixed = Math.imul(at ^ (at >>> 15), at | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Walks at random: clients fall asleep for long stretches, which is what breaks protocols; faults are rare. */
export function searchAtRandom(
  rules: Rules,
  scenario: Scenario,
  limits: {
    readonly runs: number;
    readonly milliseconds: number;
    /** With one run, the seed of a failed run reproduces it. */
    readonly firstSeed?: number;
  },
): RandomResult {
  const until = performance.now() + limits.milliseconds;
  const firstSeed = limits.firstSeed ?? 1;
  let steps = 0;
  let trimmed = 0;
  let runs = 0;
  while (runs < limits.runs && performance.now() < until) {
    const seed = firstSeed + runs++;
    const random = numbers(seed);
    const within = world(rules, scenario);
    const state = initialState(scenario);
    const sleep: number[] = [];
    const walked: Move[] = [];
    for (let i = 0; i < STEPS; i++) {
      const count = state.clients.length;
      const late = state.late.length > 0 ? 0.2 : 0;
      const at = random() * (count + late + (state.forged < scenario.forgeries ? 0.1 : 0));
      const who = Math.floor(at);
      const asleep = sleep[who] ?? 0;
      if (asleep > i) continue;
      if (random() < 0.05) {
        sleep[who] = i + Math.floor(random() * random() * 250);
        continue;
      }
      const all =
        who < count
          ? clientMoves(within, state, who)
          : at < count + late
            ? lateMoves(within, state)
            : random() < 0.5
              ? within.forger.moves(state)
              : editMoves(within, state);
      const moves = random() < 0.04 ? all : all.filter((move) => !move.fault);
      const move = moves[Math.floor(random() * moves.length)];
      if (move === undefined) continue;
      steps++;
      walked.push(move);
      try {
        move.apply(state);
      } catch (error) {
        if (!(error instanceof Violation)) throw error;
        return {
          found: { seed, violation: error.message, trace: walked.map((step) => step.label()) },
          runs,
          steps,
          trimmed,
        };
      }
    }
    if (state.journal.some((entry, seq) => seq > 1 && entry === 0 && state.journal[seq + 1] !== 0)) trimmed++;
  }
  return { runs, steps, trimmed };
}
