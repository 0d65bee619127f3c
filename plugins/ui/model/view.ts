/** The view of a run: the fold of its events. Times are milliseconds since 1970. */
import type { Phase, RunSummary, StageHolder } from "../../../core/base/index.js";
import type { Plan, RunOwner } from "../../../core/contract/index.js";
import type { AskedDelete, RunRow } from "../api/index.js";
import { type Bounded, bounded } from "./bounded.js";
import {
  isMembers,
  type Members,
  membersIn,
  noCounts,
  numberIn,
  type ResourceRow,
  type RowState,
  type ScopeNode,
  textIn,
  textsIn,
} from "./row.js";

export interface RunHead {
  readonly run: string;
  readonly app: string;
  readonly stage: string;
  readonly phase: Phase;
  readonly planned: boolean;
  /** True for a check for drift that the server of the page began. */
  readonly checksDrift: boolean;
  readonly by: RunOwner;
}

export interface LogLine {
  readonly at: number;
  /** Name of the resource or process that wrote it. */
  readonly fqn: string;
  /** Index of its resource's row; undefined for a process. */
  readonly row: number | undefined;
  readonly text: string;
}

export interface Warned {
  readonly at: number;
  readonly code: string;
  readonly message: string;
  readonly fqns: readonly string[];
}

/** A wait for another run to release the stage. */
export interface Wait {
  readonly from: number;
  readonly to: number | undefined;
  /** The holder in one text. */
  readonly owner: string;
  readonly holder: StageHolder | undefined;
}

export interface Question {
  readonly question: string;
  readonly at: number;
  readonly text: string;
  readonly deletes: readonly AskedDelete[];
  /** Number of further deletes. */
  readonly left: number;
}

export interface Answered {
  readonly question: string;
  readonly at: number;
  /** Undefined if it was answered elsewhere, or is not open any more. */
  readonly approved: boolean | undefined;
}

export interface ProcessRow {
  readonly id: string;
  readonly fqn: string;
  readonly pid: number;
  readonly from: number;
  readonly to: number | undefined;
  /** Null if a signal ended it. */
  readonly exitCode: number | null | undefined;
  /** Its last lines. */
  readonly said: readonly string[];
}

/**
 * Owned by the code that folds events into it: `reduce` changes it in place, and increases `version` with each change.
 * Large members keep their identity; views compare versions.
 */
export interface RunView {
  version: number;
  head: RunHead | undefined;
  state: RunRow["state"];
  /** Times of the earliest and the latest event. */
  since: number | undefined;
  until: number | undefined;
  /** Milliseconds, as the run reports at its end. */
  duration: number | undefined;
  summary: RunSummary | undefined;
  /** Number of repetitions because another run was faster. */
  repeated: number;
  /** Another run was faster, and a new run takes the place of this one. */
  isToRepeat: boolean;

  /** In the order of their first events. */
  readonly rows: ResourceRow[];
  /** By the key of `rowKey`. */
  readonly rowsByKey: Map<string, ResourceRow>;
  /** Number of events of resources over the limit. */
  rowsLeft: number;
  readonly counts: Record<RowState, number>;
  drifted: number;
  /** Number of resources to read. */
  toLook: number | undefined;
  /** Running rows, the longest first. */
  readonly active: Set<ResourceRow>;
  /** Rows that have ended since changes were last durable. */
  readonly unrecorded: ResourceRow[];
  readonly scopes: Map<string, ScopeNode>;
  /** Scopes without a parent scope: usually the stage. */
  readonly roots: ScopeNode[];

  readonly lines: Bounded<LogLine>;
  readonly warnings: Bounded<Warned>;
  /** The first failures. */
  readonly failures: Failed[];
  /** Number of further failures. */
  failuresLeft: number;
  /** Names of the first resources whose handlers failed because the run had stopped them. */
  readonly stoppedWith: Set<string>;

  readonly waits: Wait[];
  /** When the run began to write. */
  lockedAt: number | undefined;
  unlockedAt: number | undefined;
  /** The newest journal entry, and the number of its changes. */
  seq: number | undefined;
  changes: number;

  plan: Plan | undefined;
  question: Question | undefined;
  readonly answers: Answered[];
  readonly processes: Map<number, ProcessRow>;
  readonly tunnels: Map<string, { readonly host: string; readonly port: number; readonly url: string }>;
  /** Number of events of unknown types. */
  unknown: number;
}

export function emptyView(): RunView {
  return {
    version: 0,
    head: undefined,
    state: "running",
    since: undefined,
    until: undefined,
    duration: undefined,
    summary: undefined,
    repeated: 0,
    isToRepeat: false,
    rows: [],
    rowsByKey: new Map(),
    rowsLeft: 0,
    counts: noCounts(),
    drifted: 0,
    toLook: undefined,
    active: new Set(),
    unrecorded: [],
    scopes: new Map(),
    roots: [],
    lines: bounded(),
    warnings: bounded(),
    failures: [],
    failuresLeft: 0,
    stoppedWith: new Set(),
    waits: [],
    lockedAt: undefined,
    unlockedAt: undefined,
    seq: undefined,
    changes: 0,
    plan: undefined,
    question: undefined,
    answers: [],
    processes: new Map(),
    tunnels: new Map(),
    unknown: 0,
  };
}

/** A failure in an event. */
export interface Failed {
  readonly fqn: string | undefined;
  readonly code: string;
  readonly message: string;
  readonly causes: readonly string[];
  readonly frames: readonly string[];
  readonly holder: StageHolder | undefined;
}

export function failedIn(members: Members): Failed {
  return {
    fqn: textIn(members, "fqn"),
    code: textIn(members, "code") ?? "",
    message: textIn(members, "message") ?? "",
    causes: newsIn(textIn(members, "message") ?? "", textsIn(members, "causes")),
    frames: textsIn(members, "frames"),
    holder: holderIn(members),
  };
}

/** Leaves out the nearest cause if the message already ends with it. */
function newsIn(message: string, causes: readonly string[]): readonly string[] {
  const [nearest = "", ...others] = causes;
  const said = nearest.replace(/^Error: /, "");
  return said !== "" && message.endsWith(said) ? others : causes;
}

const PROCESS = ["runs", "stopped", "gone", "unknown"] as const;

/** Returns undefined if the event names no holder. */
export function holderIn(members: Members): StageHolder | undefined {
  const holder = membersIn(members, "holder");
  if (!holder || !isMembers(holder)) return undefined;
  const ci = textIn(holder, "ci");
  return {
    session: textIn(holder, "session") ?? "",
    command: textIn(holder, "command") ?? "",
    user: textIn(holder, "user") ?? "",
    host: textIn(holder, "host") ?? "",
    pid: numberIn(holder, "pid") ?? 0,
    since: textIn(holder, "since") ?? "",
    ...(ci === undefined ? {} : { ci }),
    process: PROCESS.find((one) => one === holder.process) ?? "unknown",
    ttl: numberIn(holder, "ttl") ?? 0,
    version: textIn(holder, "version") ?? "",
  };
}
