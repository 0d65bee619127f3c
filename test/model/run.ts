import { appendMoves, queued } from "./append.js";
import { checkpointMoves } from "./checkpoint.js";
import type { State } from "./state.js";
import type { Turn } from "./turn.js";

/** What an owner chooses among between two writes; each choice is made together with its first request. */
export function runMoves(turn: Turn): void {
  const { client, world } = turn;
  const { scenario } = world;
  if (client.mark !== 0) checkpointMoves(turn.as({ step: "checkpoint" }));
  if (client.left < 0) {
    // A client that may crash may leave by that.
    const leave = (state: State) => turn.rest(state);
    if (!scenario.crashes) turn.add(() => "leaves", leave);
    return;
  }
  if (client.left > 0) {
    const changed = turn.as({ left: client.left - 1 });
    appendMoves(queued(changed, { kind: "ops", names: [] }));
    // Rolling over ends the owner's segment, so that a checkpoint can fold it while the session goes on.
    if (scenario.midRun && client.grows) appendMoves(queued(changed, { kind: "ops", names: [], rollsOver: true }));
  }
  appendMoves(queued(turn, { kind: "close", names: [] }));
}
