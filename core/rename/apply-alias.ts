/** Moves the record under an earlier name of a resource, with its children and data. */
import { below, type ResourceRef, withResolvers } from "../base/index.js";
import { hasForeign, type ValueLocation } from "../codec/index.js";
import {
  type Encoded,
  folderOf,
  fqnIn,
  INTERNALS,
  idOf,
  type ResourceRecord,
  refIn,
  type Scope,
  scopeOwner,
} from "../contract/index.js";
import { descendantsOf, findOrphans } from "../order/index.js";
import { type App, aliasBlocked, type Move, type Operation } from "../run/index.js";
import { scopeAt } from "../scope/index.js";
import type { Change } from "../state/index.js";

/**
 * Moves a record and returns it under its new name. Everything moves in one change; if a secret cannot be read, nothing
 * moves.
 *
 * @param dropped record under the new name that is removed in the same change
 * @throws EngineError `ALIAS_CONFLICT` if a name that comes with it has another record
 */
export async function applyAlias(
  { app, key, ref, scope }: Operation,
  alias: string,
  dropped?: ResourceRecord,
): Promise<ResourceRecord | undefined> {
  app.run.aliases.move(alias, key);
  await moveTo(app, { ref, key, isPart: scope[INTERNALS].resource !== undefined, dropped }, alias);
  return app.ledger.read(key);
}

/** Returns the record that already has one of the new names, if any. A name without a record counts as read. */
function blockingRecord(
  app: App,
  { key, dropped }: Pick<MoveTarget, "key" | "dropped">,
  alias: string,
  moving = movingFrom(app, alias),
): ResourceRecord | undefined {
  const leaving = new Set([...moving, ...(dropped ? [dropped] : [])].map(({ uid }) => uid));
  for (const record of moving) {
    if (record.replaced) continue;
    const there = app.ledger.read(renamed(record.key, alias, key));
    if (there !== undefined && !leaving.has(there.uid)) return there;
  }
  return undefined;
}

/** Returns the records under the alias, old copies included, and their descendants. */
function movingFrom({ ledger: { contents } }: App, alias: string): readonly ResourceRecord[] {
  const copies = contents.copiesOf(alias);
  const uids = copies.map(({ uid }) => uid);
  return [...copies, ...descendantsOf(contents, uids)];
}

interface MoveTarget {
  readonly ref: ResourceRef;
  readonly key: string;
  /** True if a handler has declared it. */
  readonly isPart: boolean;
  readonly dropped?: ResourceRecord | undefined;
}

/**
 * Moves the records. If another alias moves records away from a name that this one needs, that move is done first.
 *
 * @throws EngineError `PLAN_MISMATCH`, `ALIAS_CONFLICT`, and if a value that a plugin has bound to its location cannot
 * be read
 */
async function moveTo(app: App, target: MoveTarget, alias: string): Promise<void> {
  const { ref, key, isPart, dropped } = target;
  const { moves } = app.run.aliases;
  const { promise: ended, resolve: end } = withResolvers<void>();
  const move: Move = { uids: new Set(), ended };
  moves.add(move);
  try {
    for (;;) {
      const moving = movingFrom(app, alias);
      move.uids = new Set(moving.map(({ uid }) => uid));
      const changes: Change[] = dropped ? [{ op: "drop", uid: dropped.uid }] : [];
      for (const one of moving) changes.push(...(await movedRecord(app, one, renamed(one.key, alias, key))));
      // Under a name without children there may be an unrelated scope.
      if (moving.some((one) => one.key !== alias)) changes.push(...(await movedData(app, alias, key)));
      // No change may come in between from here until they are recorded.
      const taken = blockingRecord(app, target, alias, moving);
      if (taken === undefined) {
        app.run.performer.rename(ref, fqnIn(app.root, alias), isPart);
        return await app.record(changes);
      }
      const first = [...moves].find((other) => other !== move && other.uids.has(taken.uid));
      if (first === undefined || waits(first, move)) throw aliasBlocked(app, alias, key, taken.key);
      move.waitsFor = first;
      await first.ended;
      move.waitsFor = undefined;
    }
  } finally {
    moves.delete(move);
    end();
  }
}

/** True if a move waits for another one, directly or indirectly. */
function waits(one: Move, other: Move): boolean {
  for (let at: Move | undefined = one; at; at = at.waitsFor) if (at === other) return true;
  return false;
}

/**
 * Moves the data of a scope's earlier names. Data that exists under the present name stays, and so does the data of
 * that name under an earlier one.
 */
export async function enterByAlias(app: App, scope: Scope): Promise<void> {
  const { path, formerPaths } = scope[INTERNALS];
  const to = scopeOwner(path);
  const changes: Change[] = [];
  const taken = new Set(app.ledger.contents.data.get(to)?.keys());
  for (const owner of formerPaths.map(scopeOwner)) {
    for (const [key, value] of app.ledger.contents.data.get(owner) ?? []) {
      if (taken.has(key)) continue;
      taken.add(key);
      app.ledger.readData(owner, key);
      changes.push({ op: "data", owner: to, key, value: await movedValue(app, owner, to, key, value) });
      changes.push({ op: "data", owner, key });
    }
  }
  if (changes.length > 0) await app.record(changes);
}

/**
 * Moves orphans that stay because their scope keeps them to the scope's present name: without the alias, a later run
 * would not know that they must stay.
 */
export async function applyKeptAlias(app: App, path: string): Promise<void> {
  const { scopesByFormerPath } = app.run.aliases;
  if (scopesByFormerPath.size === 0) return;
  const { contents } = app.ledger;
  const inside = below(path);
  const isDeclared = (key: string): boolean => app.run.isDeclared(key) || app.run.bounds.selection?.holds(key) === true;
  const isKept = ({ key, parent }: ResourceRecord): boolean =>
    parent === undefined && !scopeAt(app, folderOf(key)).destroyOrphans;
  for (const record of findOrphans(contents.records, isDeclared).filter(isKept)) {
    const key = presentKey(scopesByFormerPath, record.key);
    if (key === undefined || !inside(folderOf(key)) || contents.at(key)) continue;
    if (blockingRecord(app, { key }, record.key) !== undefined) continue;
    const ref = refIn(scopeAt(app, folderOf(key)), record.kind, idOf(key));
    await moveTo(app, { ref, key, isPart: false }, record.key);
  }
}

/** True for paths at or below that of a scope, and for their former paths. */
export function belowPresent({ run: { aliases } }: App, path: string): (other: string) => boolean {
  const former = [...aliases.scopesByFormerPath].flatMap(([one, newOwner]) =>
    below(path)(newOwner[INTERNALS].path) ? one : [],
  );
  const all = [path, ...former].map(below);
  return (other) => all.some((isBelow) => isBelow(other));
}

/** Returns the present name of a record that is under the former path of a scope. */
function presentKey(scopesByFormerPath: ReadonlyMap<string, Scope>, key: string): string | undefined {
  for (let folder = folderOf(key); folder !== ""; folder = folderOf(folder)) {
    const newOwner = scopesByFormerPath.get(folder);
    if (newOwner) return renamed(key, folder, newOwner[INTERNALS].path);
  }
  return undefined;
}

// Changes that give another name to a record, its children and its data.

/**
 * Returns the changes that rename a record and its values.
 *
 * @throws EngineError if a value that a plugin has bound to its location cannot be read
 */
export async function movedRecord(app: App, record: ResourceRecord, key: string): Promise<readonly Change[]> {
  const { uid, props, output, lastGood } = record;
  const [from, to] = [placeAt(app, record.key, uid), placeAt(app, key, uid)];
  const set: { -readonly [K in keyof ResourceRecord]?: ResourceRecord[K] } = { key };
  const moved = async (value: Encoded, slot: "props" | "output"): Promise<Encoded> =>
    hasForeign(value) ? rebound(app, value, { ...from, slot }, { ...to, slot }) : value;
  if (hasForeign(props)) set.props = await moved(props, "props");
  if (lastGood) {
    const { props: good, output: former } = lastGood;
    const next = {
      props: await moved(good, "props"),
      ...(former === undefined ? {} : { output: await moved(former, "output") }),
    };
    if (next.props !== good || next.output !== former) set.lastGood = next;
  }
  if (output !== undefined && hasForeign(output)) set.output = await moved(output, "output");
  const changes: Change[] = [{ op: "patch", uid, set }];
  for (const [name, value] of app.ledger.contents.data.get(uid) ?? []) {
    if (!hasForeign(value)) continue;
    const at = { slot: "data", key: name } as const;
    const moved = await rebound(app, value, { ...from, ...at }, { ...to, ...at });
    changes.push({ op: "data", owner: uid, key: name, value: moved });
  }
  return changes;
}

/**
 * Returns the changes that move the data of the scopes at a path and below it. If both scopes have data of the same
 * name, both keep theirs.
 *
 * @throws EngineError as {@link movedRecord}
 */
export async function movedData(app: App, before: string, path: string): Promise<readonly Change[]> {
  const inside = below(scopeOwner(before));
  const changes: Change[] = [];
  for (const [owner, values] of [...app.ledger.contents.data].filter(([one]) => inside(one))) {
    const to = renamed(owner, scopeOwner(before), scopeOwner(path));
    const taken = [...values.keys()].filter((name) => app.ledger.readData(to, name) !== undefined);
    for (const [name, value] of values) {
      if (taken.includes(name)) continue;
      changes.push({ op: "data", owner: to, key: name, value: await movedValue(app, owner, to, name, value) });
      if (taken.length > 0) changes.push({ op: "data", owner, key: name });
    }
    if (taken.length === 0) changes.push({ op: "forget", owner });
  }
  return changes;
}

/**
 * Encodes a value of one scope's data for another scope, both given as owners.
 *
 * @throws EngineError as {@link movedRecord}
 */
async function movedValue(app: App, from: string, to: string, key: string, value: Encoded): Promise<Encoded> {
  if (!hasForeign(value)) return value;
  const at = { slot: "data", key } as const;
  return rebound(app, value, { ...scopeDataAt(app, from), ...at }, { ...scopeDataAt(app, to), ...at });
}

type At = Pick<ValueLocation, "scope" | "fqn" | "owner">;

function placeAt(app: App, key: string, owner: string): At {
  return { scope: scopeAt(app, folderOf(key)), fqn: fqnIn(app.root, key), owner };
}

function scopeDataAt(app: App, owner: string): At {
  const path = owner.slice(scopeOwner("").length);
  return { scope: scopeAt(app, path), fqn: fqnIn(app.root, path), owner };
}

/**
 * Binds a plugin's value to its new location: another scope may have another password. If nothing changes, the value
 * stays the same.
 */
async function rebound(app: App, value: Encoded, from: ValueLocation, to: ValueLocation): Promise<Encoded> {
  return app.codec.encode(await app.codec.decode(value, from), { ...to, before: () => [value] });
}

/** Renames a name that is, or is below, another one. */
export function renamed(name: string, from: string, to: string): string {
  return name === from || name.startsWith(`${from}/`) ? `${to}${name.slice(from.length)}` : name;
}
