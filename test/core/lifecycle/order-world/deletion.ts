/** Deletes copies in the order under test, and says what was deleted too early. */
import { DeletionOrder } from "../../../../core/lifecycle/order.ts";
import type { Copy } from "./world.ts";

export type Strength = "uses" | "standsOn" | "seen" | "child" | "refs" | "hang" | "shape";

export interface Early {
  readonly strength: Strength;
  readonly deleted: string;
  readonly before: string;
}

/** Sequentially without durations; else in parallel, each delete taking the next of them. */
export function deleteAll(doomed: readonly Copy[], durations?: readonly number[]): { early: Early[]; width: number } {
  const order = new DeletionOrder(doomed);
  const left = new Set(doomed);
  const running: { readonly copy: Copy; readonly ends: number }[] = [];
  const early: Early[] = [];
  let now = 0;
  let width = 0;
  let taken = 0;
  while (left.size > 0) {
    for (;;) {
      if (!durations && running.length > 0) break;
      const copy = order.next();
      if (!copy) break;
      for (const other of left) if (other !== copy) early.push(...tooEarly(copy, other, doomed));
      running.push({ copy, ends: now + (durations?.[taken++ % durations.length] ?? 0) });
    }
    width = Math.max(width, running.length);
    running.sort((a, b) => a.ends - b.ends);
    const ended = running.shift();
    if (!ended) {
      early.push({ strength: "hang", deleted: "", before: [...left].map(({ uid }) => uid).join() });
      break;
    }
    now = ended.ends;
    left.delete(ended.copy);
    order.finished(ended.copy.uid);
  }
  return { early, width };
}

/** `other` is still there when `copy` is deleted. */
function tooEarly(copy: Copy, other: Copy, doomed: readonly Copy[]): Early[] {
  const { uid } = copy;
  const strengths: Strength[] = [];
  if (other.uses.has(uid)) strengths.push("uses");
  if (other.standsOn.has(uid)) strengths.push("standsOn");
  if (other.seen.has(uid)) strengths.push("seen");
  if (other.parent === uid) strengths.push("child");
  if (other.refs.includes(uid)) strengths.push("refs");
  return strengths.map((strength) => ({
    strength: reaches(copy, other, doomed, strength) ? (`${strength}-cycle` as Strength) : strength,
    deleted: uid,
    before: other.uid,
  }));
}

function reaches(from: Copy, to: Copy, doomed: readonly Copy[], strength: Strength): boolean {
  const known = new Map(doomed.map((copy) => [copy.uid, copy]));
  const met = new Set<string>();
  const visit = (copy: Copy): boolean => {
    if (copy === to) return true;
    if (met.has(copy.uid)) return false;
    met.add(copy.uid);
    const next = [...copy.uses, ...copy.refs, ...(copy.parent ? [copy.parent] : [])];
    if (strength === "standsOn") next.push(...copy.standsOn);
    if (strength === "seen") next.push(...copy.seen);
    return next.some((uid) => { const c = known.get(uid); return c ? visit(c) : false; });
  };
  return visit(from);
}
