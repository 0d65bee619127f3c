import { describeLine } from "./describing.js";
import type { ContentId, KeyId, LineId, LineKind } from "./history.js";
import { checkFenced, claim } from "./properties.js";
import { sealedLine } from "./seal.js";
import { idleClient, type State, type Step } from "./state.js";
import { writeLine } from "./store.js";
import type { Turn } from "./turn.js";

/**
 * The owner's next line: in its own file, or first in the next entry. That one records the length of the entry before,
 * of which only acknowledged lines count.
 */
export function queued(
  turn: Turn,
  line: {
    readonly kind: LineKind;
    readonly names: readonly ContentId[];
    readonly rollsOver?: boolean;
    readonly brings?: KeyId;
  },
): Turn {
  const { client, world } = turn;
  const { history, rules } = world;
  const { seq, line: prev, length } = history.content(client.own);
  const { grows, session, key } = client;
  const brings = line.brings ?? 0;
  const mustBegin = line.rollsOver === true || (brings !== 0 && rules.keyBegins);
  const next = !history.firstLine(client.own).grows || mustBegin;
  const drafted = {
    kind: line.kind,
    session,
    seq: next ? seq + 1 : seq,
    prev,
    names: next ? [client.own, ...line.names] : line.names,
    grows,
    takeover: false,
  };
  const { recorded } = history.history(client.known);
  const pending = sealedLine(history, drafted, { key, number: next ? 1 : length + 1, brings, recorded });
  const begin: Step =
    rules.handle === "reopened" ? "append-open" : rules.fenceLook === "before-write" ? "look" : "write";
  return turn.as({ pending, mark: 0, step: next ? "create-next" : begin });
}

export function appendMoves(turn: Turn): void {
  const { client, state, world } = turn;
  const { history, rules, scenario } = world;
  const { pending } = client;
  const { seq } = history.lineOf(pending);
  const known = history.extend(client.known, pending);
  const what = () => `${describeLine(history, pending)}@${seq}`;
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
          writeLine(s, world, { seq, handle, line: pending, known });
          if (rules.fenceLook === "after-write") turn.become(s, { step: "look" });
          else acknowledged(turn, s);
        },
      );
      if (!gone) breakOff(turn);
      return;
    }
    case "own-back":
      readOwn(turn);
      return;
    case "look": {
      const fenced = state.journal[seq + 1] !== 0;
      const asks = rules.askAfterClose && history.lineOf(pending).kind === "close";
      turn.add(
        () => `looks for entry ${seq + 1} after ${what()}: ${fenced ? `there${asks ? "" : ", FENCED"}` : "absent"}`,
        (s) => {
          if (fenced && asks) turn.become(s, { step: "ask" });
          else if (fenced) {
            checkFenced(s, world, history.push(client.own, pending), s.journal[seq + 1] ?? 0, turn.name);
            turn.rest(s);
          } else if (rules.fenceLook === "after-write") acknowledged(turn, s);
          else turn.become(s, { step: "write" });
        },
      );
      return;
    }
    case "ask": {
      const next = state.journal[seq + 1] ?? 0;
      const counts = next === 0 || history.firstLine(next).names.includes(history.push(client.own, pending));
      turn.add(
        () => `reads ${turn.describe(next)} after ${what()}: ${counts ? "its close counts" : "FENCED"}`,
        (s) => (counts ? acknowledged(turn, s) : turn.rest(s)),
      );
      return;
    }
    case "create-next": {
      if (seq > scenario.maxSeq) return;
      const taken = state.journal[seq] !== 0;
      turn.request(
        { kind: "create", seq, value: history.push(0, pending), known },
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

/** A write that is cut short, by a crash or by a full disk: its writer does not know whether the line is there. */
function breakOff(turn: Turn): void {
  const { client, world } = turn;
  const { history, scenario, rules } = world;
  const { pending, handle } = client;
  const line = history.lineOf(pending);
  const { seq, kind } = line;
  const torn = history.line({ ...line, kind: "torn" });
  const write = (s: State, left: LineId) =>
    writeLine(s, world, {
      seq,
      handle,
      line: left,
      known: left === torn ? client.known : history.extend(client.known, pending),
    });
  if (scenario.crashes) {
    turn.add(
      () => `crashes while it writes ${kind}@${seq}`,
      (s) => {
        write(s, torn);
        turn.rest(s);
      },
      true,
    );
  }
  if (!scenario.writeErrors) return;
  for (const [left, word] of [
    [torn, "half"],
    [pending, "all"],
  ] as const) {
    turn.add(
      () => `fails to write ${kind}@${seq}, ${word} of it is there`,
      (s) => {
        write(s, left);
        if (rules.failedWrite === "read-back") turn.become(s, { step: "own-back" });
        else queued(turn, repeated(turn)).become(s, {});
      },
      true,
    );
  }
}

/**
 * After a failed write: the line counts if it was written completely; otherwise nothing may follow the partial line.
 */
function readOwn(turn: Turn): void {
  const { client, state, world } = turn;
  const { history } = world;
  const { seq } = history.lineOf(client.pending);
  const there = state.journal[seq] ?? 0;
  const { first, line } = history.content(there);
  turn.add(
    () => `reads ${turn.describe(there)} to see what it wrote`,
    (s) => {
      if (first !== client.handle) turn.rest(s);
      else if (line === client.pending) turn.become(s, { step: "look" });
      else queued(turn, repeated(turn)).become(s, {});
    },
  );
}

/** The line that could not be written, for the next entry. */
function repeated({ client, world }: Turn): Parameters<typeof queued>[1] {
  const { kind, names, seal } = world.history.lineOf(client.pending);
  return { kind, names, brings: seal?.brings, rollsOver: true };
}

/** The owner relies on its line from here on. */
function acknowledged(turn: Turn, state: State): void {
  const { client, world } = turn;
  const { history, scenario } = world;
  const { pending, grows } = client;
  const known = history.extend(client.known, pending);
  const { kind, seq } = history.lineOf(pending);
  claim(state, world, known, `${turn.name}, told that its ${kind} is durable,`);
  const closes = kind === "close";
  const begins = seq !== history.content(client.own).seq;
  // An entry by `create` is final at once; a growing segment is final only once it is closed, or rolled over.
  const rollsOver = begins && history.firstLine(client.own).grows;
  const final = closes || (!grows && kind === "ops" && scenario.midRun) ? known : rollsOver ? client.known : 0;
  const beside = scenario.background && !closes && final !== 0;
  turn.become(state, {
    step: "run",
    known,
    key: history.history(known).key,
    own: history.push(begins ? 0 : client.own, pending),
    handle: begins ? pending : client.handle,
    pending: 0,
    again: false,
    left: closes ? -1 : client.left,
    mark: beside ? 0 : final,
  });
  if (beside) {
    const { session } = client;
    state.clients.push({ ...idleClient("helper", grows), step: "checkpoint", mark: final, session });
  }
}
