/** Deletes copies in the order under test, and reports deletes that came too early. */
import { DeletionOrder } from "../../../../core/order/index.js";
import type { Copy } from "./world.ts";

/** The reason why `before` had to be deleted before `deleted`. */
export interface Early {
  readonly because: "uses" | "standsOn" | "seen" | "child" | "refs";
  readonly deleted: string;
  readonly before: string;
}

export interface Deletion {
  /** Uids in the order in which their deletes ended. */
  readonly deleted: readonly string[];
  readonly early: readonly Early[];
  /** Highest number of deletes that ran at once. */
  readonly width: number;
  /** Virtual duration. */
  readonly time: number;
}

export type Target = Pick<Copy, "uid" | "ready" | "done" | "refs" | "parent" | "uses" | "standsOn" | "seen">;

/** Deletes one at a time. */
export function deleteInTurn(doomed: readonly Target[]): Deletion {
  return deletion(doomed, 1, [1]);
}

/** Deletes as many at once as the order allows; each takes the next of the durations. */
export function deleteAtOnce(doomed: readonly Target[], durations: readonly number[]): Deletion {
  return deletion(doomed, Number.POSITIVE_INFINITY, durations);
}

function deletion(doomed: readonly Target[], places: number, durations: readonly number[]): Deletion {
  const order = new DeletionOrder(doomed);
  const left = new Set(doomed);
  const running: { readonly target: Target; readonly ends: number }[] = [];
  const early: Early[] = [];
  const deleted: string[] = [];
  let [started, width, time] = [0, 0, 0];
  for (;;) {
    while (running.length < places) {
      const target = order.next();
      if (!target) break;
      for (const other of left) if (other !== target) early.push(...reasons(target, other));
      running.push({ target, ends: time + (durations[started++ % durations.length] ?? 1) });
    }
    width = Math.max(width, running.length);
    const ended = running.sort((a, b) => a.ends - b.ends).shift();
    if (!ended) break;
    time = ended.ends;
    left.delete(ended.target);
    deleted.push(ended.target.uid);
    order.finished(ended.target.uid);
  }
  if (left.size > 0) throw new Error(`The order stands still before ${[...left].map(({ uid }) => uid)}`);
  return { deleted, early, width, time };
}

/** Reasons why `other`, which still exists, had to be deleted before the target. */
function reasons({ uid }: Target, other: Target): Early[] {
  const because: Early["because"][] = [];
  if (other.uses.includes(uid)) because.push("uses");
  if (other.standsOn.includes(uid)) because.push("standsOn");
  if (other.seen.includes(uid)) because.push("seen");
  if (other.refs.includes(uid)) because.push("refs");
  if (other.parent === uid) because.push("child");
  return because.map((each) => ({ because: each, deleted: uid, before: other.uid }));
}
