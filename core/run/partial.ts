/**
 * Resources whose handlers have succeeded while something that they declared or deferred is left to do. Until that is done they
 * are recorded as being updated: else a run that ends before would leave a resource that looks finished, whose handler is not
 * called again, and with it the parts that only this handler can bring.
 */

import { type DefinedHandlers, type Encoded, folderOf, type Position, type ResourceRecord } from "../contract/index.js";
import type { Change } from "../state/index.js";
import type { App } from "./app.js";

/** True where a handler has succeeded and part of what it declared is left to do. False for a type without update: no later call could do it. */
export function isPartial({ generation }: App, key: string, { update }: Pick<DefinedHandlers, "update">): boolean {
  return update !== undefined && !generation.isWhole(key);
}

/** @param done absent if it has not resolved to the program, and was found to be its own */
export function partlyDone({ uid, props, claim }: ResourceRecord, output: Encoded, done?: Position): Change {
  const known = { status: "updating", output, attempt: 0, lastGood: { props } } as const;
  const set = done ? { ...known, done } : ({ ...known, claim: "own" } as const);
  return { op: "patch", uid, set, unset: done && claim !== undefined ? ["error", "claim"] : ["error"] };
}

/** Records as settled what has become whole; to be called when all below a path has settled. */
export async function settlePartial(app: App, isBelow: (path: string) => boolean): Promise<void> {
  const { generation, ledger } = app;
  const mine = [...generation.partial].filter(([key]) => isBelow(folderOf(key)));
  const changes: Change[] = [];
  // Children first: their keys are longer.
  for (const [key, uid] of mine.sort(([one], [other]) => other.length - one.length)) {
    if (!generation.isWhole(key)) continue;
    generation.partial.delete(key);
    const record = ledger.contents.at(key);
    if (record?.uid !== uid || record.status !== "updating") continue;
    changes.push({ op: "patch", uid, set: { status: "ready" }, unset: ["lastGood", "since"] });
  }
  if (changes.length > 0) await app.record(changes);
}
