/** Deletes on request: a stage, a scope, or one resource. */

import {
  below,
  type CallSite,
  callSiteText,
  type DestroyStrategy,
  EngineError,
  platform,
  raise,
  unknownName,
} from "../base/index.js";
import {
  fqnIn,
  INTERNALS,
  isPendingResource,
  isResourceOwner,
  isScopeOwner,
  type ResourceRecord,
  retainedOwner,
  Scope,
} from "../contract/index.js";
import { refuseWaiting } from "../handler/index.js";
import { descendantsOf } from "../order/index.js";
import {
  type App,
  appOf,
  askBeforeDestroy,
  callScopeHook,
  isTooLate,
  originOf,
  refusals,
  refuseInside,
  refuseProtected,
  refuseReferredTo,
  retainedOf,
  selectedOf,
  tooLate,
  unmatchedErrors,
} from "../run/index.js";
import { type Change, retainedNames } from "../state/index.js";
import { deleteInOrder, errorsOf, strategyOf } from "./delete-tree.js";
import { findDefinition, refOf } from "./deletion.js";

/**
 * The phase `destroy`: deletes all resources, or the targeted ones. If a kind is not defined yet, it waits for
 * finalize, because the modules that define it may still be loading.
 */
export async function destroyStage(app: App, isLastChance: boolean): Promise<void> {
  app.run.before ??= app.ledger.contents.copy();
  const recorded = [...app.ledger.contents.records.values()];
  const { selection } = app.run.bounds;
  const { going: records, refused: left } = selectedOf(app, selection, recorded);
  if (!isLastChance && (await needsProgram(app, records))) return;
  app.run.progress.destroy();
  const { performer } = app.run;
  const refused = [...left, ...unmatchedErrors(app), ...refusals(app, records)];
  try {
    performer.refuse(refused);
  } catch (error) {
    return void app.run.fail("", error);
  }
  const failed = await deleteAll(app, app.root, performer.deletable(records));
  for (const error of failed) app.run.fail("", error);
  listRetained(app);
  const errors = [...refused, ...failed];
  if (errors.length > 0 || selection) return;
  await forgetStage(app);
  await callScopeHook(app, "scopeDestroyed", app.root);
}

/**
 * Implements `engine.destroy()`: deletes the resources of a scope, or one resource, children first. The run does not
 * end before that.
 *
 * @param site place of the call, for the error that names a wrong target
 */
export function destroyTarget(scope: Scope, target: unknown, site: CallSite): Promise<void> {
  const destroying = destroyNow(scope, target, site);
  appOf(scope).run.ongoing.keep(destroying);
  return destroying;
}

async function destroyNow(scope: Scope, target: unknown, site: CallSite): Promise<void> {
  const app = appOf(scope);
  await app.ready();
  if (isTooLate(app, "record")) throw tooLate(scope, "engine.destroy()");
  if (target instanceof Scope) return destroyScope(app, target);
  const isHandle = (typeof target === "object" && target !== null) || unknownName(target) !== undefined;
  const key = isHandle ? originOf(app, Object(target)) : undefined;
  if (key === undefined) throw noTarget(target, site);
  if (isPendingResource(target)) {
    await app.run.waits.rest(target);
    refuseWaiting(app, [target], `"${target.fqn}" is destroyed`);
  }
  // One turn of the event loop: after it, resolved promises in the props of others are known.
  await new Promise<void>((resolve) => platform().nextTurn(resolve));
  await app.run.renew(key, app.ledger.contents);
  app.run.deferred.forget(key);
  const { contents } = app.ledger;
  app.ledger.read(key);
  const copies = contents.copiesOf(key);
  const descendants = descendantsOf(
    contents,
    copies.map(({ uid }) => uid),
  );
  await deleteNow(app, app.root, key, [...new Set([...copies, ...descendants])], strategyOf(app, key));
}

function noTarget(target: unknown, site: CallSite): EngineError {
  const where = callSiteText(site);
  if (target === undefined || target === null) {
    return new EngineError(
      "INVALID_CALL",
      `engine.destroy() was called with ${target} and deleted nothing: ${where}. Pass a scope or a resource. Only a call without arguments means the current scope.`,
    );
  }
  return new EngineError(
    "INVALID_CALL",
    `engine.destroy() was called with a value that is not a scope, a declared resource or its output object: ${where}. Outputs that are strings or numbers cannot be recognized: pass the resource itself.`,
  );
}

async function destroyScope(app: App, scope: Scope): Promise<void> {
  refuseInside(scope, "engine.destroy()");
  const { path, formerPaths } = scope[INTERNALS];
  const inside = below(path);
  await app.run.waits.settled(inside);
  refuseWaiting(app, app.run.waits.unsettled(inside), `"${scope.chain.join("/")}" is destroyed`);
  const { contents } = app.ledger;
  const paths = [path, ...formerPaths];
  await deleteNow(app, scope, path, [...new Set(paths.flatMap((one) => contents.recordsBelow(one)))]);
  for (const one of paths) await forgetData(app, one);
  await callScopeHook(app, "scopeDestroyed", scope);
}

/** @param path scope or resource whose content is deleted */
async function deleteNow(
  app: App,
  scope: Scope,
  path: string,
  records: readonly ResourceRecord[],
  strategy?: DestroyStrategy,
): Promise<void> {
  if (app.options.phase === "read") {
    throw new EngineError(
      "READ_ONLY",
      'engine.destroy() cannot delete anything in the phase "read", which changes nothing. Run "engine up", or check the phase first.',
    );
  }
  refuseProtected(app, records);
  const { destroyed, waits } = app.run;
  refuseReferredTo(app, records, waits.referring(below(path)));
  const retained = retainedOf(app, records);
  // Later references to these resources are refused themselves.
  for (const { key, uid } of records) if (!retained.has(uid)) destroyed.add(key);
  const errors = await deleteAll(app, scope, records, strategy);
  const { contents } = app.ledger;
  for (const { key, uid } of records) {
    if (contents.at(key)) destroyed.delete(key);
    if (!contents.records.has(uid)) withdraw(app, key);
  }
  for (const error of errors) app.run.fail(scope[INTERNALS].path, error);
  raise(errors);
}

async function deleteAll(
  app: App,
  scope: Scope,
  records: readonly ResourceRecord[],
  strategy = scope.destroyStrategy,
): Promise<readonly unknown[]> {
  try {
    await askBeforeDestroy(
      app,
      scope,
      records.map((record) => refOf(app, record)),
    );
  } catch (error) {
    return [error];
  }
  return errorsOf(app, await deleteInOrder({ app, records, strategy, reasonFor: () => "destroy" }));
}

/** Allows a deleted resource to be declared again. */
function withdraw(app: App, key: string): void {
  app.run.withdraw(key);
  let scope: Scope | undefined = app.root;
  const path = key.split("/");
  const id = path.pop() ?? "";
  for (const name of path) scope = scope?.children.get(name);
  scope?.resources.delete(id);
}

async function forgetData(app: App, path: string): Promise<void> {
  const inside = below(path);
  const owners = [...app.ledger.contents.data.keys()].filter((owner) => isScopeOwner(owner) && inside(owner.slice(1)));
  await forgetOwners(app, owners);
}

/** Lists the resources that the stage has retained, now or before: no record is left that would delete them. */
function listRetained({ ledger, run, root }: App): void {
  const names = retainedNames(ledger.contents);
  if (names.length === 0) return;
  for (const one of names) run.performer.keep(one, `retained as "${one.name}"`);
  const lines = names.map(({ key, kind, name }) => `\n  - "${fqnIn(root, key)}" (${kind}, named "${name}")`);
  const fqns = [...new Set(names.map(({ key }) => fqnIn(root, key)))].join(" ");
  run.performer.events.warn(
    "RETAINED",
    `These retained resources still exist, as far as the engine knows:${lines.join("")}\nTheir names stay reserved. Adopt the resources again (--adopt), or delete them yourself and then run: engine state forget --retained ${fqns}`,
  );
}

/**
 * Removes the data of scopes, the outputs, and the data of plugins: without resources they have no subject. Names of
 * retained resources stay. The key of a sealed state stays, too: it tells the next run that a run with the key emptied
 * the state.
 */
async function forgetStage(app: App): Promise<void> {
  const { contents, keyRecord } = app.ledger;
  const owners = [...contents.data].filter(([owner]) => !isResourceOwner(owner) && owner !== retainedOwner);
  const changes = owners.flatMap(([owner, values]): Change[] => {
    if (owner !== keyRecord?.owner) return [{ op: "forget", owner }];
    return [...values.keys()].flatMap((key) => (key === keyRecord.key ? [] : { op: "data", owner, key }));
  });
  if (changes.length > 0) await app.record(changes);
}

async function forgetOwners(app: App, owners: readonly string[]): Promise<void> {
  if (owners.length > 0) await app.record(owners.map((owner): Change => ({ op: "forget", owner })));
}

/** True if the program may still define a kind, or must provide what a delete needs. */
async function needsProgram(app: App, records: readonly ResourceRecord[]): Promise<boolean> {
  const retained = retainedOf(app, records);
  const kinds = new Map(records.filter(({ uid }) => !retained.has(uid)).map(({ kind, key }) => [kind, key]));
  for (const [kind, key] of kinds) {
    const definition = await findDefinition(app, kind, fqnIn(app.root, key));
    if (!definition || definition.destroysAfterProgram) return true;
  }
  return false;
}
