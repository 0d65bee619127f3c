/** Deleting what the program no longer declares, and the old copies that replacements left. */
import { EngineError, raise } from "../base/index.js";
import { folderOf, type PruneItem, type ResourceRecord } from "../contract/index.js";
import { descendantsOf, findOrphans } from "../order/index.js";
import { applyKeptAlias, belowPresent } from "../rename/index.js";
import { type App, askBeforePrune, type DeleteLimit, refusals, selectedOf } from "../run/index.js";
import { scopeAt } from "../scope/index.js";
import { deleteInOrder, nameOf } from "./delete-tree.js";

/** @throws what failed, several errors as an AggregateError */
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
  // Kept records take part in the order: what would be deleted after them stays, too.
  const records = all.filter((record) => deletable.has(record) || retained.kept.has(record.uid));
  const strategy = scopeAt(app, path).destroyStrategy;
  const reasonFor = ({ replaced }: ResourceRecord) => (replaced ? "replaced" : "orphan");
  const { errors } = await deleteInOrder({ app, records, strategy, reasonFor, givenUp, kept: retained.kept });
  raise(errors);
}

/** What the records are parts of, as far as the program has given that up, too: a target may leave it out. */
function wholesOf(
  { records }: App["ledger"]["contents"],
  parts: readonly ResourceRecord[],
  givenUp: ReadonlySet<string>,
): readonly ResourceRecord[] {
  const wholeOf = ({ parent = "" }: ResourceRecord): ResourceRecord | undefined => records.get(parent);
  const found = new Set<ResourceRecord>();
  for (const part of parts) {
    for (let whole = wholeOf(part); whole && givenUp.has(whole.uid); whole = wholeOf(whole)) found.add(whole);
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
 * As before a prune, for orphans that are deleted before something is replaced: one that has to stay refuses them all.
 *
 * @returns true if they may be more than the limit allows
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
  return new EngineError("VETOED", `"${fqn}" cannot be deleted before the resource that it refers to: ${why}.`, {
    fqn,
  });
}

/** `beforePrune` may keep items, and may refuse it all. */
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

/** What stays although it is no longer declared. */
class RetainedSet {
  readonly kept = new Set<string>();
  /** They may be more than the limit allows. */
  isConfirmed = false;
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  /** A resource stays with its children: they are part of it. */
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

// A resource whose delete may look under a value that an update took away: the former name of its database, which was
// renamed. The service would then delete nothing, and report success. So `read` is asked before.
