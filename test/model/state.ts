import type { CheckpointId, ContentId, HistoryId, KeyId, LineId } from "./history.js";
import type { PastId } from "./past.js";
import type { Scenario } from "./rules.js";

export type Role = "writer" | "reader" | "helper";

/** The next step of a client; each step makes at most one request to the store. */
export type Step =
  | "idle"
  | "list-again"
  | "probe"
  | "get"
  | "read"
  | "reread"
  | "verify"
  | "read-base"
  | "doubt"
  | "open"
  | "open-back"
  | "verify-open"
  | "run"
  | "append-open"
  | "write"
  | "look"
  | "ask"
  | "own-back"
  | "create-next"
  | "next-back"
  | "checkpoint"
  | "trim-plan"
  | "trim";

export interface Client {
  readonly role: Role;
  readonly grows: boolean;
  readonly step: Step;
  /** The checkpoint that the load began with: its number, its contents, and the history that it folds. */
  readonly base: number;
  readonly checkpoint: CheckpointId;
  readonly baseHistory: HistoryId;
  /** Entries base + 1, base + 2, … as they were when read. */
  readonly view: readonly ContentId[];
  /** Bit i: `view[i]` was read before the entry after it was, so its writer was not fenced yet. */
  readonly stale: number;
  /** The probe, or an early read of the next entry, found nothing. */
  readonly absent: boolean;
  /** The entry to read again. */
  readonly target: number;
  /** The part of a load that can no longer change. */
  readonly sure: HistoryId;
  /** The history that was true when the load began. */
  readonly since: HistoryId;
  readonly session: number;
  /** The key under which it writes; 0 without one. */
  readonly key: KeyId;
  /** Everything that the client has folded; for an owner, including its own acknowledged lines. */
  readonly known: HistoryId;
  /** The owner's newest entry, as it wrote it. */
  readonly own: ContentId;
  readonly pending: LineId;
  /** The first line of the file that the owner has open. */
  readonly handle: LineId;
  readonly left: number;
  /** The history that the next checkpoint folds. */
  readonly mark: HistoryId;
  readonly plan: readonly number[];
  /** The request was given up once and is being made again. */
  readonly again: boolean;
}

/** A request that its client gave up, and that may still land. */
export interface Request {
  readonly kind: "create" | "checkpoint" | "remove";
  readonly seq: number;
  readonly value: number;
  /** The history that the writer of an entry knows with it. */
  readonly known: HistoryId;
}

export interface State {
  readonly journal: ContentId[];
  readonly checkpoints: CheckpointId[];
  readonly clients: Client[];
  late: readonly Request[];
  /** The longest history that a client relied on or saw as final. No client ever knows it. */
  truth: HistoryId;
  sessions: number;
  /** Number of times that a forger without a key has arranged the store. */
  forged: number;
  /** The forger's material. */
  past: PastId;
}

export function idleClient(role: Role, grows: boolean): Client {
  return {
    role,
    grows,
    step: "idle",
    base: 0,
    checkpoint: 0,
    baseHistory: 0,
    view: [],
    stale: 0,
    absent: false,
    target: 0,
    sure: 0,
    since: 0,
    session: 0,
    key: 0,
    known: 0,
    own: 0,
    pending: 0,
    handle: 0,
    left: 0,
    mark: 0,
    plan: [],
    again: false,
  };
}

export function initialState(scenario: Scenario): State {
  const clients: Client[] = [];
  for (let i = 0; i < scenario.writers; i++) {
    clients.push(idleClient("writer", scenario.growing === "all" || (scenario.growing === "mixed" && i % 2 === 0)));
  }
  for (let i = 0; i < scenario.readers; i++) clients.push(idleClient("reader", false));
  return {
    journal: new Array<number>(scenario.maxSeq + 2).fill(0),
    checkpoints: new Array<number>(scenario.maxSeq + 2).fill(0),
    clients,
    late: [],
    truth: 0,
    sessions: 0,
    forged: 0,
    past: 0,
  };
}

export function cloneState(state: State): State {
  return {
    journal: state.journal.slice(),
    checkpoints: state.checkpoints.slice(),
    clients: state.clients.slice(),
    late: state.late,
    truth: state.truth,
    sessions: state.sessions,
    forged: state.forged,
    past: state.past,
  };
}
