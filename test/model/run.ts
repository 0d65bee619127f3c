import { appendMoves, queued } from "./append.js";
import { checkpointMoves } from "./checkpoint.js";
import type { KeyId } from "./history.js";
import type { State } from "./state.js";
import type { Turn } from "./turn.js";

/** The choices of an owner between two writes; each is made together with its first request. */
export function runMoves(turn: Turn): void {
  const { client, world } = turn;
  const { scenario } = world;
  if (client.mark !== 0) checkpointMoves(turn.as({ step: "checkpoint" }));
  if (client.left < 0) {
    // A client that may crash may leave like that.
    const leave = (state: State) => turn.rest(state);
    if (!scenario.crashes) turn.add(() => "leaves", leave);
    return;
  }
  if (client.left > 0) {
    const changed = turn.as({ left: client.left - 1 });
    for (const brings of keysToBring(turn)) {
      appendMoves(queued(changed, { kind: "ops", names: [], brings }));
      // Rolling over ends the owner's segment, so that a checkpoint can fold it while the session continues.
      const rollsOver = scenario.midRun && client.grows;
      if (rollsOver) appendMoves(queued(changed, { kind: "ops", names: [], brings, rollsOver }));
    }
  }
  appendMoves(queued(turn, { kind: "close", names: [] }));
}

/** 0 stands for none. Each key differs from all before it. */
function keysToBring({ client, world }: Turn): readonly KeyId[] {
  const { sealed, rekeys } = world.scenario;
  const { key, session } = client;
  if (!sealed) return [0];
  if (key === 0) return [session];
  const other = session + REKEYED;
  return rekeys && key !== other ? [0, other] : [0];
}

/** Marks the key that a session brings to replace another one. */
const REKEYED = 64;
