/** Deleting what the program no longer declares, and the old copies that replacements left. */
import type { App } from "../app.js";
import type { PruneItem } from "../hook-contexts.js";
import { scopeAt } from "../scope/child.js";
import type { ResourceRecord } from "../state/record.js";
import { deleteInOrder, nameOf } from "./delete-tree.js";
import { below, folderOf } from "./destroy.js";
import { findOrphans } from "./orphans.js";

/** @throws what failed, several errors as an AggregateError */
export async function prune(app: App, path: string): Promise<void> {
  const { records } = app.ledger.contents;
  const inside = below(path);
  const { generation } = app;
  const declared = {
    isDeclared: (key: string) => generation.isDeclared(key),
    wasHandled: (uid: string) => generation.handled.has(uid),
  };
  const old = [...records.values()].filter(({ replaced, key }) => replaced && inside(folderOf(key)));
  const orphans = findOrphans(records, declared).filter(({ key }) => inside(folderOf(key)));
  const doomed = [...old, ...orphans];
  if (doomed.length === 0) return;
  const kept = new Set<string>();
  for (const record of orphans) {
    if (scopeAt(app, folderOf(record.key)).destroyOrphans) continue;
    keep(app, kept, record, "destroyOrphans is false");
  }
  await ask(app, path, doomed, kept);
  const strategy = scopeAt(app, path).destroyStrategy;
  const reasonFor = ({ replaced }: ResourceRecord) => (replaced ? "replaced" : "orphan");
  const { errors } = await deleteInOrder({ app, records: doomed, strategy, reasonFor, kept });
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} deletes failed`);
}

/** `beforePrune` may keep items, and may refuse it all by throwing. */
async function ask(app: App, path: string, doomed: readonly ResourceRecord[], kept: Set<string>): Promise<void> {
  if (!app.calls.beforePrune.used) return;
  const records = new Map<PruneItem, ResourceRecord>();
  for (const record of doomed) {
    const { id, fqn } = nameOf(app, record);
    const item: PruneItem = { kind: record.kind, id, fqn, reason: record.replaced ? "replaced" : "orphan" };
    records.set(Object.freeze(item), record);
  }
  await app.calls.beforePrune.call({
    scope: scopeAt(app, path),
    items: [...records.keys()],
    keep: (item, reason) => {
      const record = records.get(item);
      if (record) keep(app, kept, record, reason);
    },
  });
}

function keep(app: App, kept: Set<string>, record: ResourceRecord, reason: string): void {
  if (kept.has(record.uid)) return;
  kept.add(record.uid);
  app.generation.count("retained");
  app.events.emit("resource:retained", { kind: record.kind, ...nameOf(app, record), reason });
}
