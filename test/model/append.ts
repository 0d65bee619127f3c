import type { ContentId, LineKind } from "./history.js";
import { claim } from "./properties.js";
import type { Step, State } from "./state.js";
import { writeLine } from "./store.js";
import type { Turn } from "./turn.js";

/** The owner's next line, in its own file or as an entry of its own. */
export function queued(turn: Turn, line: { kind: LineKind; names: readonly ContentId[] }): Turn {
  const { client, world } = turn;
  const { history, rules } = world;
  const { seq, line: prev } = history.content(client.own);
  const { grows, session } = client;
  const pending = history.line({
    kind: line.kind,
    session,
    seq: grows ? seq : seq + 1,
    prev,
    names: grows ? line.names : [client.own, ...line.names],
    grows,
    takeover: false,
  });
  const begin: Step = rules.handle === "reopened" ? "append-open" : rules.fenceLook === "before-write" ? "look" : "write";
  return turn.as({ pending, mark: 0, step: grows ? begin : "create-next" });
}

export function appendMoves(turn: Turn): void {
  const { client, state, world } = turn;
  const { history, rules, scenario } = world;
  const { pending } = client;
  const { seq } = history.lineOf(pending);
  const what = () => `${history.describeLine(pending)}@${seq}`;
  switch (client.step) {
    case "append-open": {
      const there = state.journal[seq] ?? 0;
      const handle = history.content(there).first;
      const step = rules.fenceLook === "before-write" ? "look" : "write";
      turn.add(
        () => `opens file ${seq} for ${what()}${there === 0 ? ": gone, FENCED" : ""}`,
        (s) => (there === 0 ? turn.rest(s) : turn.become(s, { handle, step })),
      );
      return;
    }
    case "write": {
      const { handle } = client;
      const gone = history.content(state.journal[seq] ?? 0).first !== handle;
      turn.add(
        () => `writes ${what()}${gone ? " to a deleted file" : ""}`,
        (s) => {
          writeLine(s, history, { seq, handle, line: pending });
          if (rules.fenceLook === "after-write") turn.become(s, { step: "look" });
          else acknowledged(turn, s);
        },
      );
      if (scenario.crashes) {
        const torn = history.line({ ...history.lineOf(pending), kind: "torn" });
        turn.add(
          () => `crashes while it writes ${what()}`,
          (s) => {
            writeLine(s, history, { seq, handle, line: torn });
            turn.rest(s);
          },
          true,
        );
      }
      return;
    }
    case "look": {
      const fenced = state.journal[seq + 1] !== 0;
      turn.add(
        () => `looks for entry ${seq + 1} after ${what()}: ${fenced ? "there, FENCED" : "absent"}`,
        (s) => {
          if (fenced) turn.rest(s);
          else if (rules.fenceLook === "after-write") acknowledged(turn, s);
          else turn.become(s, { step: "write" });
        },
      );
      return;
    }
    case "create-next": {
      if (seq > scenario.maxSeq) return;
      const taken = state.journal[seq] !== 0;
      turn.request(
        { kind: "create", seq, value: history.push(0, pending) },
        () => `creates ${what()}${taken ? ": exists" : ""}`,
        {
          yes: (s) => acknowledged(turn, s),
          no: (s) => turn.become(s, { step: "next-back" }),
          lost: (s) => turn.become(s, { again: true }),
        },
      );
      return;
    }
    case "next-back": {
      const there = state.journal[seq] ?? 0;
      const mine = there === history.push(0, pending);
      turn.add(
        () => `reads ${turn.describe(there)} back: ${mine ? "its own" : "FENCED"}`,
        (s) => (mine ? acknowledged(turn, s) : turn.rest(s)),
      );
      return;
    }
    default:
      return;
  }
}

/** The owner relies on its line from here on. */
function acknowledged(turn: Turn, state: State): void {
  const { client, world } = turn;
  const { history, scenario } = world;
  const { pending, grows } = client;
  const known = history.extend(client.known, pending);
  const { kind } = history.lineOf(pending);
  claim(state, history, known, `${turn.name}, told that its ${kind} is durable,`);
  const closes = kind === "close";
  // An entry by `create` is final at once; a growing segment is only once it is closed, or rolled over.
  const final = closes || (!grows && kind === "ops" && scenario.midRun);
  turn.become(state, {
    step: "run",
    known,
    own: history.push(grows ? client.own : 0, pending),
    pending: 0,
    again: false,
    left: closes ? -1 : client.left,
    mark: final ? known : 0,
  });
}
