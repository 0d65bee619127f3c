/** A row of the waterfall: the work of a run on one resource. */
import type { Action } from "../../../core/base/index.js";
import type { Change, RunRow, UiEvent } from "../api/index.js";
import type { Failed, RunView } from "./view.js";

/** `looked`: the real resource was read, and nothing was done yet. */
export type RowState = "looked" | "queued" | "running" | "retrying" | "done" | "failed" | "stopped";

export type RowResult = "created" | "updated" | "replaced" | "adopted" | "deleted" | "read" | "unchanged" | "retained";

/** A call of a handler that failed, and is retried. */
export interface Retry {
  readonly at: number;
  /** Milliseconds until the next call. */
  readonly delay: number;
  /** Number of the next call, from 2. */
  readonly attempt: number;
  readonly attempts: number;
  readonly message: string;
}

/** The difference between the real resource and its record. */
export interface RowDrift {
  readonly gone: boolean;
  /** JSON Pointers of the members of the output that differ. */
  readonly paths: readonly string[];
  /** Set by a check for drift: `old` is recorded, `new` is the real value. */
  readonly changes: readonly Change[];
}

/** Times are milliseconds since 1970. */
export interface ResourceRow {
  /** Index in `rows` of the view. */
  readonly index: number;
  readonly fqn: string;
  /** A deleted and a created resource may have the same name: they have two rows. */
  readonly isDelete: boolean;
  kind: string;
  action: Action | undefined;
  state: RowState;
  result: RowResult | undefined;
  /** Time of its first event. */
  readonly seenAt: number;
  queuedAt: number | undefined;
  startedAt: number | undefined;
  endedAt: number | undefined;
  /** Time when the first changes after its end were durable. */
  recordedAt: number | undefined;
  /** Milliseconds that its handler took, all calls together. */
  duration: number | undefined;
  /** The newest retries; `retried` counts all. */
  retries: readonly Retry[];
  retried: number;
  /** Number of lines that it has logged. */
  logged: number;
  failure: Failed | undefined;
  /** Why it stays, if it is retained. */
  reason: string | undefined;
  drift: RowDrift | undefined;
  isQuiet: boolean;
  /** Increased with each change. */
  version: number;
}

/** A scope, or a resource with children. */
export interface ScopeNode {
  readonly fqn: string;
  readonly name: string;
  readonly parent: ScopeNode | undefined;
  readonly children: ScopeNode[];
  /** Indices of the rows directly in it. */
  readonly rows: number[];
  /** Rows in each state, including those further below. */
  readonly counts: Record<RowState, number>;
}

export const noCounts = (): Record<RowState, number> => ({
  looked: 0,
  queued: 0,
  running: 0,
  retrying: 0,
  done: 0,
  failed: 0,
  stopped: 0,
});

/** Returns the key of a row in `rowsByKey`. */
export function rowKey({ fqn, isDelete }: Pick<ResourceRow, "fqn" | "isDelete">): string {
  return `${isDelete ? "-" : "+"}${fqn}`;
}

/** Returns undefined for a line that is not an event, such as half a line. */
export function eventIn(line: string): UiEvent | undefined {
  try {
    return asEvent(JSON.parse(line));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Returns undefined for a value that is not an event. */
export function asEvent(value: unknown): UiEvent | undefined {
  if (!isMembers(value)) return undefined;
  const { type, time } = value;
  return typeof type === "string" && typeof time === "string" ? { ...value, type, time } : undefined;
}

/** Returns undefined until an event has named the run. */
export function runRowOf(view: RunView): RunRow | undefined {
  const { head, state, since, summary, question } = view;
  if (!head || since === undefined) return undefined;
  const duration = durationOf(view);
  const [failure] = state === "failed" ? view.failures : [];
  return {
    run: head.run,
    app: head.app,
    stage: head.stage,
    phase: head.phase,
    planned: head.planned,
    ...(checksDrift(view) ? { checksDrift: true as const, drifted: view.drifted } : {}),
    since: new Date(since).toISOString(),
    by: head.by,
    state,
    ...(duration === undefined ? {} : { duration }),
    ...(summary ? { summary } : {}),
    ...(failure ? { failure: { code: failure.code, message: failure.message } } : {}),
    ...(view.stoppedWith.size > 0 ? { stoppedByFailure: true as const } : {}),
    ...(question ? { asks: true as const } : {}),
  };
}

/** A plan that reads the real resources is a check, too. */
function checksDrift({ head, toLook }: RunView): boolean {
  return head !== undefined && (head.checksDrift || (head.planned && toLook !== undefined));
}

/** Returns the command of a run in one word. */
export function commandOf({
  planned,
  checksDrift: isCheck,
  phase,
}: Pick<RunRow, "planned" | "phase"> & { readonly checksDrift?: boolean }): string {
  return planned ? "plan" : isCheck ? "drift" : phase;
}

/** Failures by which a guard, a policy or a person refuses changes. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ["VETOED", "vetoed"],
  ...["DEPENDENTS_LEFT_OUT", "NOT_CONFIRMED", "PLAN_MISMATCH", "PROTECTED", "TOO_MANY_DELETES"].map(
    (code) => [code, "refused"] as const,
  ),
]);

/** Returns true if the failure of a run means that it was not allowed to go on. */
export function isRefusal({ failure }: Pick<RunRow, "failure">): boolean {
  return failure !== undefined && REFUSALS.has(failure.code);
}

/** Returns the outcome of a run in one word. */
export function outcomeOf({ state, failure }: Pick<RunRow, "state" | "failure">): string {
  return (state === "failed" && failure && REFUSALS.get(failure.code)) || state;
}

/** Returns milliseconds; undefined while the run is running. */
function durationOf({ state, duration, since, until }: RunView): number | undefined {
  if (duration !== undefined) return duration;
  return state === "running" || since === undefined || until === undefined ? undefined : until - since;
}

/** Members of an event. All of them are uncertain: the event may be of a later version, or incomplete. */
export type Members = Readonly<Record<string, unknown>>;

/** Longest kept text in characters. */
const LONGEST = 16_000;

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textIn(members: Members, name: string): string | undefined {
  const value = members[name];
  return typeof value === "string" ? cutText(value) : undefined;
}

export function numberIn(members: Members, name: string): number | undefined {
  const value = members[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function textsIn(members: Members, name: string): readonly string[] {
  const value = members[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string").map(cutText) : [];
}

export function membersIn(members: Members, name: string): Members | undefined {
  const value = members[name];
  return isMembers(value) ? value : undefined;
}

export function listIn(members: Members, name: string): readonly Members[] {
  const value = members[name];
  return Array.isArray(value) ? value.filter(isMembers) : [];
}

/** Parses a time into milliseconds since 1970. */
export function timeOf(text: unknown): number | undefined {
  const time = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function cutText(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length - LONGEST} more characters)` : text;
}
