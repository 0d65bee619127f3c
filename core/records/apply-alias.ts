/** Moves what is recorded under an earlier name of a resource, with all that belongs to it. */

import type { ResourceRef } from "../base/index.js";
import { fqnIn, INTERNALS, type ResourceRecord } from "../contract/index.js";
import { descendantsOf } from "../order/index.js";
import type { App, Declaration } from "../run/index.js";
import type { Change } from "../state/index.js";
import { movedData, movedRecord, renamed } from "./rebind-record.js";

/**
 * Gives the record under its new name. All of it moves in one change, or where a secret cannot be read, nothing.
 *
 * @param dropped goes in the same change: what is recorded under the new name
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

interface MoveTarget {
  readonly ref: ResourceRef;
  readonly key: string;
  /** A handler has declared it. */
  readonly isPart: boolean;
  readonly dropped?: ResourceRecord | undefined;
}

/** @throws EngineError `PLAN_MISMATCH`, and where what a plugin has bound to its place cannot be read */
export async function moveTo(app: App, { ref, key, isPart, dropped }: MoveTarget, alias: string): Promise<void> {
  const { contents } = app.ledger;
  const before = fqnIn(app.root, alias);
  app.generation.performer.rename(ref, before, isPart);
  const copies = contents.copiesOf(alias);
  const children = descendantsOf(
    contents,
    copies.map(({ uid }) => uid),
  );
  const changes: Change[] = dropped ? [{ op: "drop", uid: dropped.uid }] : [];
  for (const record of [...copies, ...children]) {
    changes.push(...(await movedRecord(app, record, renamed(record.key, alias, key))));
  }
  // Under a name without children there may be a scope that has nothing to do with it.
  if (children.length > 0) changes.push(...(await movedData(app, alias, key)));
  await app.record(changes);
}
