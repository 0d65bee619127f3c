/** What a run does about one resource: a row of its waterfall. */
import type { Action } from "../../../core/base/index.js";
import type { Change } from "../api/index.js";
import type { Failed } from "./failed.js";

/** `looked`: what is there was looked at, and nothing was done yet. */
export type RowState = "looked" | "queued" | "running" | "retrying" | "done" | "failed" | "stopped";

export type RowResult = "created" | "updated" | "replaced" | "adopted" | "deleted" | "read" | "skipped" | "retained";

/** A call of a handler that failed, and is made again. */
export interface Retry {
  readonly at: number;
  /** Milliseconds until the next call. */
  readonly delay: number;
  /** Number of the next call, from 2. */
  readonly attempt: number;
  readonly attempts: number;
  readonly message: string;
}

/** How what is there differs from what is recorded. */
export interface RowDrift {
  readonly gone: boolean;
  /** JSON Pointers of the members of the output that differ. */
  readonly paths: readonly string[];
  /** Where a look tells them: `old` is recorded, `new` is there. */
  readonly changes: readonly Change[];
}

/** Times are milliseconds since 1970. */
export interface ResourceRow {
  /** In `rows` of the view. */
  readonly index: number;
  readonly fqn: string;
  /** What is deleted and what is made may have one name, and are two rows. */
  readonly isDelete: boolean;
  kind: string;
  action: Action | undefined;
  state: RowState;
  result: RowResult | undefined;
  /** When it was first heard of. */
  readonly seenAt: number;
  queuedAt: number | undefined;
  startedAt: number | undefined;
  endedAt: number | undefined;
  /** When the next changes after its end were durable. */
  recordedAt: number | undefined;
  /** Milliseconds that its handler took, all calls together. */
  duration: number | undefined;
  /** The newest; `retried` counts all. */
  retries: readonly Retry[];
  retried: number;
  /** How many lines it has written. */
  logged: number;
  failure: Failed | undefined;
  /** Why it stays, where it is retained. */
  reason: string | undefined;
  drift: RowDrift | undefined;
  isQuiet: boolean;
  /** Raised with each change. */
  version: number;
}

/** A scope, or a resource that has others below it. */
export interface ScopeNode {
  readonly fqn: string;
  readonly name: string;
  readonly parent: ScopeNode | undefined;
  readonly children: ScopeNode[];
  /** Indices of the rows directly in it. */
  readonly rows: number[];
  /** Rows in each state, those further below included. */
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

/** Under what a row is found. */
export function rowKey({ fqn, isDelete }: Pick<ResourceRow, "fqn" | "isDelete">): string {
  return `${isDelete ? "-" : "+"}${fqn}`;
}
