import { appendMoves, queued } from "./append.js";
import { checkpointMoves } from "./checkpoint.js";
import { claim } from "./properties.js";
import { idleClient } from "./state.js";
import type { Turn } from "./turn.js";

/** What an owner chooses among between two writes; each choice is made together with its first request. */
export function runMoves(turn: Turn): void {
  const { client, world } = turn;
  const { scenario } = world;
  if (client.mark !== 0) checkpointMoves(turn.as({ step: "checkpoint" }));
  if (client.left < 0) {
    // A client that may crash may leave by that.
    if (!scenario.crashes) turn.add(() => "leaves", (s) => turn.rest(s));
    return;
  }
  if (client.left > 0) {
    appendMoves(queued(turn.as({ left: client.left - 1 }), { kind: "ops", names: [] }));
    if (scenario.midRun && client.grows) rollOver(turn.as({ left: client.left - 1 }));
  }
  appendMoves(queued(turn, { kind: "close", names: [] }));
}

/** The owner ends its own segment by creating the next, whose first line records the length of the one before. */
function rollOver(turn: Turn): void {
  const { client, world, state } = turn;
  const { history, scenario } = world;
  const { seq: before, line: prev } = history.content(client.own);
  const seq = before + 1;
  if (seq > scenario.maxSeq) return;
  const { session } = client;
  const line = history.line({ kind: "ops", session, seq, prev, names: [client.own], grows: true, takeover: false });
  const content = history.push(0, line);
  const taken = state.journal[seq] !== 0;
  turn.add(
    () => `rolls over to ${history.describeContent(content)}${taken ? ": exists, FENCED" : ""}`,
    (s) => {
      if (taken) {
        turn.rest(s);
        return;
      }
      s.journal[seq] = content;
      const known = history.extend(client.known, line);
      claim(s, history, known, `${turn.name}, having rolled over,`);
      const mark = client.known;
      const on = { known, own: content, handle: line, pending: 0 };
      if (scenario.background) {
        turn.become(s, { ...on, step: "run", mark: 0 });
        s.clients.push({ ...idleClient("helper", true), step: "checkpoint", mark, session });
      } else turn.become(s, { ...on, step: "checkpoint", mark });
    },
  );
}
