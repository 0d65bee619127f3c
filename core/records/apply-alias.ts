/** Moves what is recorded under an earlier name of a resource, with all that belongs to it. */

import type { ResourceRef } from "../base/index.js";
import { fqnIn, INTERNALS, type ResourceRecord } from "../contract/index.js";
import { descendantsOf } from "../order/index.js";
import { type App, type Declaration, placeTaken } from "../run/index.js";
import type { Change } from "../state/index.js";
import { movedData, movedRecord, renamed } from "./rebind-record.js";

/**
 * Gives the record under its new name. All of it moves in one change, or where a secret cannot be read, nothing.
 *
 * @param dropped goes in the same change: what is recorded under the new name
 * @throws EngineError `ALIAS_CONFLICT` where something else is recorded under a name that comes with it
 */
export async function applyAlias(
  { app, key, ref, scope }: Declaration,
  alias: string,
  dropped?: ResourceRecord,
): Promise<ResourceRecord | undefined> {
  app.generation.aliases.move(alias, key);
  await moveTo(app, { ref, key, isPart: scope[INTERNALS].resource !== undefined, dropped }, alias);
  return app.ledger.read(key);
}

/**
 * The name of something recorded that would be the name of another one, were what is recorded under the alias moved. What an alias of
 * its own is moving away is in nobody's way. That nothing is there counts as read.
 */
export function takenPlace(
  app: App,
  { key, dropped }: Pick<MoveTarget, "key" | "dropped">,
  alias: string,
  moving = movingFrom(app, alias),
): string | undefined {
  const leaving = new Set([...moving, ...(dropped ? [dropped] : [])].map(({ uid }) => uid));
  return moving
    .filter(({ replaced }) => !replaced)
    .map((record) => renamed(record.key, alias, key))
    .find((name) => {
      const there = app.ledger.read(name);
      return there !== undefined && !leaving.has(there.uid) && !app.generation.aliases.hasMoved(name);
    });
}

/** What is recorded under the alias, old copies as well, and all that belongs to it. */
function movingFrom({ ledger: { contents } }: App, alias: string): readonly ResourceRecord[] {
  const copies = contents.copiesOf(alias);
  const uids = copies.map(({ uid }) => uid);
  return [...copies, ...descendantsOf(contents, uids)];
}

interface MoveTarget {
  readonly ref: ResourceRef;
  readonly key: string;
  /** A handler has declared it. */
  readonly isPart: boolean;
  readonly dropped?: ResourceRecord | undefined;
}

/** @throws EngineError `PLAN_MISMATCH`, `ALIAS_CONFLICT`, and where what a plugin has bound to its place cannot be read */
export async function moveTo(app: App, { ref, key, isPart, dropped }: MoveTarget, alias: string): Promise<void> {
  const moving = movingFrom(app, alias);
  const changes: Change[] = dropped ? [{ op: "drop", uid: dropped.uid }] : [];
  for (const record of moving) {
    changes.push(...(await movedRecord(app, record, renamed(record.key, alias, key))));
  }
  // Under a name without children there may be a scope that has nothing to do with it.
  if (moving.some(({ key: one }) => one !== alias)) changes.push(...(await movedData(app, alias, key)));
  // From here on nothing can come in between.
  const taken = takenPlace(app, { key, dropped }, alias, moving);
  if (taken !== undefined) throw placeTaken(app, alias, key, taken);
  app.generation.performer.rename(ref, fqnIn(app.root, alias), isPart);
  await app.record(changes);
}
