/** Deletes orphans, and the old copies that replacements left. */
import { EngineError, raise } from "../base/index.js";
import { folderOf, type PruneItem, type ResourceRecord } from "../contract/index.js";
import { descendantsOf, findOrphans } from "../order/index.js";
import { applyKeptAlias, belowPresent } from "../rename/index.js";
import { type App, askBeforePrune, type DeleteLimit, refusals, selectedOf } from "../run/index.js";
import { scopeAt } from "../scope/index.js";
import { deleteInOrder, nameOf } from "./delete-tree.js";

/** @throws the failure, several errors as an AggregateError */
export async function prune(app: App, path: string): Promise<void> {
  await applyKeptAlias(app, path);
  const { contents } = app.ledger;
  const inside = belowPresent(app, path);
  const { bounds, performer } = app.run;
  const { selection, deletes } = bounds;
  const isDeclared = (key: string): boolean => app.run.isDeclared(key) || selection?.holds(key) === true;
  const orphans = new Set(findOrphans(contents.records, isDeclared));
  const found = [...contents.records.values()].filter((record) => record.replaced || orphans.has(record));
  const inScope = found.filter(({ key }) => inside(folderOf(key)));
  const { going: candidates, refused } = selectedOf(app, selection, inScope);
  performer.refuse(refused);
  if (candidates.length === 0) return;
  const retained = new RetainedSet(app);
  for (const record of candidates.filter(({ uid }) => app.ledger.foreign.has(uid))) {
    retained.keep(record, "another run created or changed it meanwhile");
  }
  const spared = candidates.filter(({ key, replaced }) => !replaced && !scopeAt(app, folderOf(key)).destroyOrphans);
  for (const record of spared) retained.keep(record, "destroyOrphans is false");
  await ask(
    app,
    path,
    candidates.filter(({ uid }) => !retained.kept.has(uid)),
    retained,
  );
  if (!retained.isConfirmed) refuseExcess(app, deletes, candidates, retained);
  const descendants = descendantsOf(
    contents,
    candidates.map(({ uid }) => uid),
  );
  const all = [...new Set([...candidates, ...descendants])];
  const going = all.filter(({ uid }) => !retained.kept.has(uid));
  const givenUp = new Set(inScope.map(({ uid }) => uid));
  performer.refuse(refusals(app, [...going, ...wholesOf(contents, going, givenUp)]));
  const deletable = new Set(performer.deletable(going));
  // Kept records take part in the order: records that would be deleted after them stay, too.
  const records = all.filter((record) => deletable.has(record) || retained.kept.has(record.uid));
  const strategy = scopeAt(app, path).destroyStrategy;
  const reasonFor = ({ replaced }: ResourceRecord) => (replaced ? "replaced" : "orphan");
  const { errors } = await deleteInOrder({ app, records, strategy, reasonFor, givenUp, kept: retained.kept });
  raise(errors);
}

/** Returns the ancestors of the records that are orphans, too: a target may leave them out. */
function wholesOf(
  { records }: App["ledger"]["contents"],
  parts: readonly ResourceRecord[],
  givenUp: ReadonlySet<string>,
): readonly ResourceRecord[] {
  const wholeOf = ({ parent = "" }: ResourceRecord): ResourceRecord | undefined => records.get(parent);
  const found = new Set<ResourceRecord>();
  for (const part of parts) {
    // The ancestors of one that was found are found, too.
    for (let whole = wholeOf(part); whole && givenUp.has(whole.uid) && !found.has(whole); whole = wholeOf(whole)) {
      found.add(whole);
    }
  }
  return [...found];
}

/** @throws EngineError `TOO_MANY_DELETES` */
function refuseExcess(
  app: App,
  deletes: DeleteLimit | undefined,
  candidates: readonly ResourceRecord[],
  { kept }: RetainedSet,
): void {
  const left = candidates.filter(({ uid }) => !kept.has(uid));
  const error = deletes?.excess(left);
  if (error) app.run.performer.refuse([error]);
}

/**
 * Asks, as before a prune, about orphans that are deleted before a replacement: one that has to stay refuses all.
 *
 * @returns true if they may exceed the limit
 * @throws EngineError `VETOED`
 */
export async function askAboutOrphans(app: App, orphans: readonly ResourceRecord[]): Promise<boolean> {
  const retained = new RetainedSet(app);
  const [spared] = orphans.filter(({ key }) => !scopeAt(app, folderOf(key)).destroyOrphans);
  if (spared) throw orphanStays(app, spared, "destroyOrphans is false");
  await ask(app, "", orphans, retained);
  const [kept] = orphans.filter(({ uid }) => retained.kept.has(uid));
  if (kept) throw orphanStays(app, kept, "a plugin keeps it");
  return retained.isConfirmed;
}

function orphanStays(app: App, record: ResourceRecord, why: string): EngineError {
  const { fqn } = nameOf(app, record);
  return new EngineError(
    "VETOED",
    `"${fqn}" is not declared any more. It refers to a resource that is about to be replaced, so it has to be deleted first. But it stays, because ${why}. Allow its delete, or undo the change that replaces the other resource.`,
    {
      fqn,
    },
  );
}

/** Calls `beforePrune`, which may keep items, and may refuse all. */
async function ask(
  app: App,
  path: string,
  candidates: readonly ResourceRecord[],
  retained: RetainedSet,
): Promise<void> {
  if (!app.calls.beforePrune.used || candidates.length === 0) return;
  const { deletes } = app.run.bounds;
  const records = new Map<PruneItem, ResourceRecord>();
  for (const record of candidates) {
    const { id, fqn } = nameOf(app, record);
    const item: PruneItem = { kind: record.kind, id, fqn, reason: record.replaced ? "replaced" : "orphan" };
    records.set(Object.freeze(item), record);
  }
  const scope = scopeAt(app, path);
  await askBeforePrune(app, scope, (vetoing) => ({
    ...vetoing,
    scope,
    items: [...records.keys()],
    limit: deletes?.left,
    get remaining() {
      return [...records].flatMap(([item, { uid }]) => (retained.kept.has(uid) ? [] : item));
    },
    get counted() {
      const left = candidates.filter(({ uid }) => !retained.kept.has(uid));
      const counted = new Set(deletes?.counted(left));
      return [...records].flatMap(([item, record]) => (counted.has(record) ? item : []));
    },
    confirm: () => {
      retained.isConfirmed = true;
    },
    keep: (item, reason) => {
      const record = records.get(item);
      if (record) retained.keep(record, reason);
    },
  }));
}

/** The orphans that stay. */
class RetainedSet {
  readonly kept = new Set<string>();
  /** True if a plugin has confirmed that they may exceed the limit. */
  isConfirmed = false;
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  /** Keeps a resource with its children, which belong to it. */
  keep(record: ResourceRecord, reason: string): void {
    const { contents } = this.#app.ledger;
    for (const member of [record, ...descendantsOf(contents, [record.uid])]) {
      if (this.kept.has(member.uid)) continue;
      this.kept.add(member.uid);
      this.#app.run.count("retained");
      this.#app.run.performer.keep(member, reason);
      this.#app.events.emit("resource:retained", { kind: member.kind, ...nameOf(this.#app, member), reason });
    }
  }
}
