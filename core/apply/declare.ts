/** Turns a call in the program into a pending resource. */
import { checkName, EngineError, ignore, isEngineError, unknownName } from "../base/index.js";
import {
  fqnIn,
  INTERNALS,
  isAdoption,
  keyIn,
  markPending,
  type PendingResource,
  refIn,
  type Scope,
} from "../contract/index.js";
import { declarationFailed, emitFailure, interruption, withNotedMembers } from "../handler/index.js";
import { checkResourceOptions } from "../options/index.js";
import { oldHomeOf } from "../rename/index.js";
import {
  AnyOperation,
  type App,
  appOf,
  type DeclarationCall,
  Declared,
  isTooLate,
  type Operation,
  refuseItself,
  tooLate,
  tryToRecord,
} from "../run/index.js";
import { attachScope } from "../scope/index.js";
import { applyDeclaration } from "./apply.js";
import { Waiting } from "./dispatch.js";

/** Declares a resource. A declaration that is refused at once fails its scope like one that fails later. */
export function declareInTime(call: DeclarationCall): PendingResource<unknown> {
  const app = appOf(call.scope);
  try {
    // A handler may declare children as long as it runs, even one that settles an interrupted create this late.
    const isInHandler = call.scope[INTERNALS].resource?.slot.hasEnded === false;
    if (!isInHandler && isTooLate(app, "declare"))
      throw tooLate(app.root, `The declaration of "${fqnIn(call.scope, call.id)}"`);
    return declare(app, call);
  } catch (error) {
    const { path, resource } = call.scope[INTERNALS];
    app.run.fail(path, error, resource?.key);
    throw error;
  }
}

function declare(app: App, call: DeclarationCall): PendingResource<unknown> {
  const { scope, definition, id, props, options, called } = call;
  checkName("id", id);
  const key = keyIn(scope, id);
  const { kind } = definition;
  refuseItself(scope, kind, id);
  const ref = refIn(scope, kind, id);
  const { fqn } = ref;
  checkResourceOptions(fqn, options);
  const oldHome = oldHomeOf({ app, scope });
  const slot = oldHome === undefined ? key : `${oldHome} ${key}`;
  const before = app.run.claim(slot, fqn, called, app.options.reapply);
  app.run.aliases.check(app, key, scope, id);
  attach(scope);
  const declared = new Declared({ scope, kind, id }, options, app.run.siteOf(called));
  const operation = new AnyOperation({ app, scope, definition, ref, key, options, declared });
  const begin = (): Promise<unknown> => carriedOut(operation, () => begun(operation, props));
  const pending = markPending(before === undefined ? begin() : before.then(ignore, ignore).then(begin), declared);
  declared.pending = pending;
  app.run.add(slot, declared, oldHome ?? scope[INTERNALS].resource?.key);
  scope.resources.set(id, pending);
  return pending;
}

function begun(operation: Operation, props: unknown): unknown {
  const { app } = operation;
  return app.isReady ? applyDeclaration(operation, props) : app.ready().then(() => applyDeclaration(operation, props));
}

/**
 * Synchronous, like the functions that it calls: each promise costs every resource a turn. One turn is required:
 * resources declared together are all declared before any of them resolves to the program. An operation that waits
 * holds neither the props of the program nor a promise besides the program's own.
 */
function carriedOut(operation: Operation, apply: () => unknown): Promise<unknown> {
  let applied: unknown;
  try {
    applied = apply();
  } catch (error) {
    applied = Promise.reject(error);
  }
  if (applied instanceof Waiting) return admitted(operation, applied);
  return Promise.resolve(applied).then(
    (output) => (output instanceof Waiting ? admitted(operation, output) : resolved(operation, output)),
    (error: unknown) => rejected(operation, error),
  );
}

function admitted(operation: Operation, waiting: Waiting): Promise<unknown> {
  return waiting.room.then(() => carriedOut(operation, () => waiting.proceed()));
}

function resolved(operation: Operation, given: unknown): unknown {
  const { app, key, declared, definition } = operation;
  const output = definition.refersByMember ? withNotedMembers(app, given, key) : given;
  if (isHandle(output)) app.outputs.set(output, key);
  app.run.onSettled(declared, operation.admitted);
  return output;
}

/** Called one turn of the event loop after the declaration at the earliest, when `declared.pending` is set. */
function rejected(operation: Operation, error: unknown): never {
  const { app, declared } = operation;
  const failure = failed(operation, error);
  recordGuards(operation, failure);
  declared.isUndone = true;
  app.run.onSettled(declared, operation.admitted);
  // It fails the run, even if the program never awaits it, and must not end the process itself.
  declared.pending?.catch(ignore);
  throw failure;
}

/** True for an output with an identity, by which it is recognised in other props; a text or a number has none. */
function isHandle(output: unknown): output is object {
  return (typeof output === "object" && output !== null) || unknownName(output) !== undefined;
}

function failed(operation: Operation, error: unknown): unknown {
  const { app, ref, key } = operation;
  const isRecorded = app.isReady && app.ledger.contents.at(key) !== undefined;
  const action = app.options.phase === "read" ? "read" : isRecorded ? "update" : "create";
  const reason = interruption(app, error);
  if (reason && operation.admitted?.hasStarted !== true) app.run.count("notBegun");
  const failure = reason ?? declarationFailed(app.safe(error), ref.fqn);
  emitFailure({ app, scope: operation.scope, ref, action }, failure);
  return failure;
}

/**
 * Records the guards of a declaration that failed before its intent, so that the next run does not delete the resource.
 * A guard that is no longer declared stays until a declaration succeeds.
 */
function recordGuards({ app, key, options }: Operation, failure: unknown): void {
  if (app.options.phase !== "up" || !app.isReady || app.signal.aborted) return;
  if (isEngineError(failure, "VETOED") || isEngineError(failure, "PLAN_MISMATCH")) return;
  const record = app.ledger.contents.at(key);
  if (record === undefined || isAdoption(record)) return;
  const protect = record.protect ?? (options.protect || undefined);
  const retain = record.retain ?? (options.retainOnDelete || undefined);
  if (protect === record.protect && retain === record.retain) return;
  const set = { ...(protect && { protect }), ...(retain && { retain }) };
  void tryToRecord(app, [{ op: "patch", uid: record.uid, set }]);
}

/** Attaches the scope of a resource to its parent once a resource is declared in it, or in a scope of its handler. */
function attach(scope: Scope): void {
  const { parent } = scope;
  if (!parent || !scope[INTERNALS].resource) return;
  // First, because a scope in the scope of a handler is attached to that when it is entered.
  attach(parent);
  const other = parent.children.get(scope.name);
  if (other === scope) return;
  if (other && !other[INTERNALS].resource) {
    throw new EngineError(
      "DUPLICATE_ID",
      `"${parent.fqn(scope.name)}" is both a scope and a resource with children. Rename one of them.`,
      { fqn: parent.fqn(scope.name) },
    );
  }
  attachScope(parent, scope);
}
