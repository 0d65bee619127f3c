import type { State } from "./state.js";
import type { Turn } from "./turn.js";

/** A checkpoint of the final entries, then trimming by the list as it is after that. */
export function checkpointMoves(turn: Turn): void {
  const { client, world } = turn;
  const { history } = world;
  switch (client.step) {
    case "checkpoint": {
      const { seq, key } = history.history(client.mark);
      const seal = key === 0 ? {} : { mac: { key, folds: client.mark } };
      const value = history.checkpoint({ folds: client.mark, ...seal });
      const done = (s: State) => turn.become(s, { step: "trim-plan", again: false });
      turn.request({ kind: "checkpoint", seq, value, known: 0 }, () => `creates checkpoint ${seq}`, {
        yes: done,
        no: done,
        lost: (s) => turn.become(s, { step: "checkpoint", again: true }),
      });
      return;
    }
    case "trim-plan": {
      const plan = trimPlan(turn);
      turn.add(
        () => `plans to trim ${plan.map(describeKey).join(" ") || "nothing"}`,
        (s) => (plan.length === 0 ? finish(turn, s) : turn.become(s, { step: "trim", plan })),
      );
      return;
    }
    case "trim":
      for (const key of trimNext(turn)) trimOne(turn, key);
      return;
    default:
      return;
  }
}

/** Checkpoints go before entries: a reader that probes first takes an absent entry after a present base for the end. */
function trimNext(turn: Turn): readonly number[] {
  const { plan } = turn.client;
  if (!turn.world.scenario.anyTrimOrder) return plan.slice(0, 1);
  const checkpoints = plan.filter((key) => key < 0);
  return checkpoints.length > 0 ? checkpoints : plan;
}

/** Marks in a plan, which is numbers: a checkpoint is negative, a guard to be cut to a stub lies above this. */
const STUB = 256;

function describeKey(key: number): string {
  return key < 0 ? `checkpoint ${-key}` : key > STUB ? `guard ${key - STUB} to a stub` : `entry ${key}`;
}

function trimPlan(turn: Turn): number[] {
  const { client, state, world } = turn;
  const { rules, history } = world;
  const { seq: folded, guards } = history.history(client.mark);
  const listed: number[] = [];
  for (const [seq, value] of state.checkpoints.entries()) if (value !== 0) listed.push(seq);
  const oldest = listed[listed.length - rules.keep];
  if (oldest === undefined) return [];
  const limit = rules.trimCap ? Math.min(oldest, folded) : oldest;
  const plan = listed.filter((seq) => seq < oldest && seq <= limit).map((seq) => -seq);
  for (let seq = 1; seq <= limit; seq++) {
    const there = state.journal[seq] ?? 0;
    if (there === 0) continue;
    if (!guards.includes(seq)) plan.push(seq);
    else if (rules.stubGuards && history.firstLine(there).kind !== "stub") plan.push(seq + STUB);
  }
  return plan;
}

function trimOne(turn: Turn, key: number): void {
  const { client, world } = turn;
  const rest = client.plan.filter((other) => other !== key);
  const seq = key > STUB ? key - STUB : key;
  const stub = { kind: "stub", session: 0, seq, prev: 0, names: [], grows: false, takeover: true } as const;
  const value = key > STUB ? world.history.push(0, world.history.line(stub)) : 0;
  const done = (s: State) => {
    const next = turn.as({ again: false });
    if (rest.length > 0) next.become(s, { plan: rest });
    else finish(next, s);
  };
  turn.request({ kind: "remove", seq, value, known: 0 }, () => `trims ${describeKey(key)}`, {
    yes: done,
    no: done,
    lost: (s) => turn.become(s, { again: true }),
  });
}

function finish(turn: Turn, state: State): void {
  if (turn.client.role === "helper" || turn.client.left < 0) turn.rest(state);
  else turn.become(state, { step: "run", mark: 0, plan: [] });
}
