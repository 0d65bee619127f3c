import { describeContent } from "./describing.js";
import type { ContentId, Line } from "./history.js";
import { isLooseBase } from "./load.js";
import { sealedLine } from "./seal.js";
import { opened, rely } from "./settle.js";
import { newerCheckpoints } from "./store.js";
import type { Turn } from "./turn.js";

/**
 * A session's first write: `open` at the end of the loaded entries, then verify, then settle entries that are not
 * final.
 */
export function openMoves(turn: Turn): void {
  const { client, state, world } = turn;
  switch (client.step) {
    case "open":
      create(turn);
      return;
    case "open-back": {
      const { seq, content } = own(turn);
      const there = state.journal[seq] ?? 0;
      const mine = there === content;
      turn.add(
        () => `reads ${turn.describe(there)} back: ${mine ? "its own" : "another's, loads again"}`,
        (s) => (mine ? opened(turn.as({ again: false }), s) : turn.rest(s)),
      );
      return;
    }
    case "verify-open": {
      const newer = newerCheckpoints(state, client.base);
      turn.add(
        () => `verifies its open: ${newer} newer checkpoints`,
        (s) => {
          if (newer >= world.rules.keep) turn.rest(s);
          else if (isLooseBase(turn)) turn.become(s, { step: "read-base" });
          else rely(turn, s);
        },
      );
      return;
    }
    default:
      return;
  }
}

function create(turn: Turn): void {
  const { state, world } = turn;
  const { history, scenario } = world;
  const drafted = turn.client.pending !== 0 ? turn : draft(turn);
  const { seq, content } = own(drafted);
  if (seq > scenario.maxSeq || drafted.client.session > scenario.sessions) return;
  const taken = state.journal[seq] !== 0;
  drafted.request(
    { kind: "create", seq, value: content, known: history.extend(drafted.client.known, drafted.client.pending) },
    () => `creates ${describeContent(history, content)}${taken ? ": exists" : ""}`,
    {
      yes: (s) => opened(drafted.as({ again: false }), s),
      no: (s) => (drafted.client.grows ? drafted.rest(s) : drafted.become(s, { step: "open-back" })),
      lost: (s) => drafted.become(s, { again: true }),
    },
  );
}

/** The `open` line. It records its predecessor's length once no client can change that any more. */
function draft(turn: Turn): Turn {
  const { client, state, world } = turn;
  const { history, rules } = world;
  const before = history.history(client.known);
  const closed = client.known === 0 || history.lineOf(before.line).kind === "close";
  // A client that begins with an older checkpoint reads the base's own segment, whose length an unsettled `open` leaves
  // out.
  const base = history.history(client.baseHistory).content;
  const unnamed = client.view.length > 0 && base !== 0 && !history.firstLine(client.view[0] ?? 0).names.includes(base);
  const names = client.known !== 0 && (closed || isFinal(turn)) ? [before.content] : [];
  const session = state.sessions + 1;
  const isAlone = !closed || client.known === 0;
  const line: Line = {
    kind: "open",
    session,
    seq: before.seq + 1,
    prev: before.line,
    names: !rules.opensName ? [] : unnamed && rules.namesBase ? [...names, base] : names,
    grows: client.grows && !(rules.opensAlone && isAlone),
    takeover: !closed,
  };
  const pending = sealedLine(history, line, { key: client.key, number: 1, recorded: before.recorded });
  return turn.as({ session, pending });
}

function isFinal(turn: Turn): boolean {
  const { client, world } = turn;
  const before = world.history.history(client.known);
  return before.seq === client.base || !world.history.firstLine(before.content).grows;
}

function own(turn: Turn): { seq: number; content: ContentId } {
  const { history } = turn.world;
  return { seq: history.lineOf(turn.client.pending).seq, content: history.push(0, turn.client.pending) };
}
