/** The waterfall of a run: the segments of each row over time. Times are milliseconds since 1970. */
import { type ResourceRow, rowKey } from "./row.js";
import type { RunView } from "./view.js";

/**
 * - `waiting`: the run was running, and the action was not known
 * - `queued`: the action was known, and waited for a slot
 * - `handler`: its handler was running
 * - `retry`: a pause before the next call
 * - `record`: it had ended, and was not durable yet
 */
export type SegmentKind = "waiting" | "queued" | "handler" | "retry" | "record";

export interface Segment {
  readonly kind: SegmentKind;
  readonly from: number;
  readonly to: number;
}

export interface Extent {
  readonly from: number;
  readonly to: number;
}

/** @param now by the clock of the run; used while the run is running */
export function extentOf({ since, until, state }: RunView, now: number): Extent {
  const from = since ?? now;
  const last = until ?? from;
  return { from, to: Math.max(from + 1, state === "running" ? Math.max(last, now) : last) };
}

/** Returns segments in order of time. They do not overlap and have positive lengths, whatever the clocks did. */
export function segmentsOf(row: ResourceRow, { from, to }: Extent): readonly Segment[] {
  const segments: Segment[] = [];
  let at = from;
  const until = (kind: SegmentKind, end: number | undefined): void => {
    if (end === undefined) return;
    const clamped = Math.min(to, Math.max(at, end));
    if (clamped > at) segments.push({ kind, from: at, to: clamped });
    at = clamped;
  };
  // No handler was called, nor will be: the resource was unchanged.
  if (row.state === "done" && row.startedAt === undefined) return segments;
  until("waiting", row.queuedAt ?? row.startedAt ?? row.endedAt ?? to);
  until("queued", row.startedAt ?? (row.queuedAt === undefined ? undefined : (row.endedAt ?? to)));
  if (row.startedAt === undefined) return segments;
  for (const { at: failedAt, delay } of row.retries) {
    until("handler", failedAt);
    until("retry", Math.min(failedAt + delay, row.endedAt ?? to));
  }
  until("handler", row.endedAt ?? to);
  until("record", row.endedAt === undefined || row.state !== "done" ? undefined : row.recordedAt);
  return segments;
}

/** A running resource, and the resources that cannot end before it. */
export interface Blocker {
  readonly row: ResourceRow;
  readonly since: number;
  /** Running resources above it: their handlers wait for it. */
  readonly holdsUp: readonly ResourceRow[];
}

/** Returns the resources that the run waits for right now, the longest first. @param most the limit */
export function blockersOf(view: RunView, most: number): readonly Blocker[] {
  const blockers: Blocker[] = [];
  for (const row of view.active) {
    if (blockers.length === most) break;
    blockers.push({ row, since: row.startedAt ?? row.seenAt, holdsUp: activeAbove(view, row) });
  }
  return blockers;
}

function activeAbove(view: RunView, row: ResourceRow): readonly ResourceRow[] {
  const above: ResourceRow[] = [];
  for (let end = row.fqn.lastIndexOf("/"); end > 0; end = row.fqn.lastIndexOf("/", end - 1)) {
    const parent = view.rowsByKey.get(rowKey({ fqn: row.fqn.slice(0, end), isDelete: row.isDelete }));
    if (parent && view.active.has(parent)) above.push(parent);
  }
  return above;
}
