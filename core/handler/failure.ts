/** Errors that name the failed resource and are emitted once. */
import {
  type Action,
  cut,
  EngineError,
  failureNote,
  messageOf,
  type ResourceRef,
  shownPointer,
} from "../base/index.js";
import {
  type FailedDeletion,
  forgetCommand,
  fqnIn,
  INTERNALS,
  isAdoption,
  isNotWhole,
  isOfUnknownOrigin,
  type PendingResource,
  type ResourceOptions,
  type ResourceRecord,
  type Scope,
} from "../contract/index.js";
import type { App } from "../run/index.js";

/** Adds the resource to an error that occurred before or beside its handler. */
export function declarationFailed(error: unknown, fqn: string): unknown {
  if (!(error instanceof EngineError) || error.fqn !== undefined) return error;
  return new EngineError(error.code, `"${fqn}": ${error.message}`, { fqn, cause: error });
}

/** @param hint a sentence for the end of the message, or an empty string */
export function handlerFailed(app: App, action: Action | "plan", fqn: string, thrown: unknown, hint = ""): EngineError {
  const error = app.safe(thrown);
  if (error instanceof EngineError && error.fqn === fqn) return error;
  const code = error instanceof EngineError ? error.code : "HANDLER_FAILED";
  const message = cut(messageOf(error));
  const more = hint === "" ? "" : `${/[.!?]$/.test(message) ? "" : "."} ${hint}`;
  return new EngineError(code, `${action} of "${fqn}" failed: ${message}${more}`, { fqn, cause: error });
}

/** Returns a hint for an error of a create by which the service reports that the resource exists already. */
export function adoptHint(error: unknown): string {
  if (error instanceof EngineError) return "";
  const { name, code, message, statusCode, status } = Object(error);
  const says = [name, code, message].some((text) => /EEXIST|already[ _-]?(exists|owned)/i.test(String(text)));
  const isThere = says || statusCode === 409 || status === 409;
  return isThere ? "To take over a resource that exists already, declare it with { adopt: true } or pass --adopt." : "";
}

/**
 * The error of an adoption whose update asks for a replacement.
 *
 * @param forcedBy JSON Pointers of the props that ask for it, as far as the type says
 */
export function notAdoptable(fqn: string, forcedBy: readonly string[] = []): EngineError {
  const names = forcedBy.map((at) => `"${shownPointer(at)}"`).join(", ");
  const why = names === "" ? "" : ` because of ${names}`;
  const message = `"${fqn}" was not adopted: its update asks to replace the existing resource${why}, but the engine does not delete a resource that existed before. Declare ${names || "the resource"} with the present value${forcedBy.length === 1 ? "" : "s"} of the existing resource, or delete the existing resource yourself.`;
  return new EngineError("INVALID_CALL", message, { fqn });
}

/** The error for a real resource that may not belong to the engine, which no record can decide. */
export function unclaimed(fqn: string, record: ResourceRecord, options: ResourceOptions = {}): EngineError {
  const why = isOfUnknownOrigin(record)
    ? "an earlier version of scope-engine began to change or adopt it, and did not record which of the two"
    : `its create ${whyPending(record.error)}, and its read may find a resource that existed before`;
  const message = `It is not known whether the engine owns "${fqn}": ${why}. Look at the real resource. If this program is to manage it, declare it with { adopt: true } or pass --adopt. If not, run ${forgetCommand(fqn, record, options)}.`;
  return new EngineError("UNRESOLVED", message, { fqn });
}

/** Hint for a create that is repeated with its first token and fails again. */
export function keptTokenHint(...about: Parameters<typeof forgetCommand>): string {
  return `The next run repeats the create with the same idempotency token, because an earlier attempt may have taken effect. If nothing was created, run ${forgetCommand(...about)}, then "engine up".`;
}

/** Describes an attempt that left its record pending, using the recorded error. */
export function whyPending(error: string | undefined): string {
  return error === undefined ? "was interrupted" : `failed (${reasonIn(error)})`;
}

/** Hint for an update of a resource whose delete failed, of a type that cannot read: the resource may be gone. */
export function perhapsGoneHint(failed: FailedDeletion, ...about: Parameters<typeof forgetCommand>): string {
  return `The resource may be gone: ${whyNotDeleted(failed)}. If it is gone, run ${forgetCommand(...about)}, then "engine up".`;
}

/** Describes the failed delete of a resource that still exists, as far as the engine knows. */
export function whyNotDeleted({ message }: FailedDeletion): string {
  return `its last delete failed (${reasonIn(message)})`;
}

/** Returns a recorded message without the name of the resource. */
function reasonIn(message: string): string {
  return message.replace(/^[a-z]+ of ".*?" failed: /, "");
}

/**
 * Describes several, like {@link whyPending}. Not every create with an intent had begun when the run was interrupted.
 */
export function manyPending(error: string | undefined, count: number): string {
  return error === undefined
    ? `${count} creates were interrupted, some perhaps before they began`
    : `${count} creates failed`;
}

/** Returns the reason of the interruption if an error is that reason or its cause. */
export function interruption(app: App, error: unknown): EngineError | undefined {
  const { aborted, reason } = app.signal;
  if (!aborted) return undefined;
  const safe = app.safe(error);
  return safe === reason || safe === reason.cause ? reason : undefined;
}

/**
 * Returns the reason of the interruption if a running handler has ended because of it: it threw the reason, an error
 * with that cause, or the error of an aborted Node API.
 */
export function stopReason(app: App, error: unknown): EngineError | undefined {
  return app.run.isInterrupted ? abortReason(app, error) : undefined;
}

/** Like {@link stopReason}, also if another failure has aborted the run. */
function abortReason(app: App, error: unknown): EngineError | undefined {
  const { aborted, reason } = app.signal;
  if (!aborted) return undefined;
  for (let at = error, depth = 0; at instanceof Error && depth < DEEPEST; at = at.cause, depth++) {
    if (app.safe(at) === reason || at === reason.cause || at.name === "AbortError") return reason;
  }
  return error === reason.cause ? reason : undefined;
}

/** Maximum number of causes that are followed. */
const DEEPEST = 20;

/** Counts and emits a handler that the interruption has stopped. */
export function emitStopped(app: App, ref: ResourceRef, action: Action): void {
  app.run.count("stopped");
  app.events.emit("resource:stopped", { ...ref, action });
}

/** Emits the end of an action that was emitted as started, but whose handler does not begin. */
export function emitNotBegun(failed: FailedAction, error: unknown): void {
  if (stopReason(failed.app, error)) emitStopped(failed.app, failed.ref, failed.action);
  else emitFailure(failed, error, true);
}

interface FailedAction {
  readonly app: App;
  readonly scope: Scope;
  readonly ref: ResourceRef;
  readonly action: Action;
  /** Set for a delete after which the resource still exists. */
  readonly deleteFailed?: FailedDeletion;
}

/** Fails the run, and emits `resource:failed` if the error is new, or the resource was emitted as started. */
export function emitFailure(failed: FailedAction, error: unknown, wasStarted = false): void {
  const { app, scope, ref, action, deleteFailed } = failed;
  const { path, resource } = scope[INTERNALS];
  const isNew = app.run.fail(path, error, resource?.key);
  if (app.isToRepeat || (!isNew && !wasStarted) || app.run.performer.isExcused(error)) return;
  const note = failureNote(app.safe(error));
  const code = error instanceof EngineError ? error.code : "HANDLER_FAILED";
  // One failure may end two steps: an update, and the delete that it asked for.
  if (isNew) app.run.count(abortReason(app, error) ? "stopped" : "failed");
  const details = deleteFailed === undefined ? {} : { deleteFailed };
  app.events.emit("resource:failed", { ...ref, action, ...note, fqn: ref.fqn, code, ...details });
}

export function pendingReason(record: ResourceRecord): string {
  const { since, error, status } = record;
  // Also for a resource that was found after an interrupted create.
  if (isNotWhole(record)) {
    return `incomplete since ${since ?? "an earlier run"}: its create was interrupted, or one of its children is missing or unfinished`;
  }
  const done = { creating: "create", updating: "update", deleting: "delete", ready: "change" }[status];
  const what = isAdoption(record) ? "adoption" : done;
  return `pending since ${since ?? "an earlier run"}: its ${what} ${whyPending(error)}`;
}

/** Maximum number of waits that are listed. */
const MOST = 20;

/** Describes a run in whose process nothing can happen any more. */
export function describeDeadlock(app: App): string {
  const { run, root } = app;
  const { deferred, scopeRuns, waits } = run;
  const unsettled = waits.unsettled(() => true);
  const behind = new Set(unsettled.filter((pending) => waits.isDeferred(pending)));
  const ahead = unsettled.filter((pending) => !behind.has(pending));
  const awaited = [
    ...ahead.map(
      (one) => `"${one.fqn}", which ${waits.hasInputs(one) ? "waits for a promise in its props" : "is running"}`,
    ),
    ...[...run.deleting.keys()].map((uid) => `the delete of "${fqnOf(app, uid)}"`),
    ...scopeRuns.names.map((name) => `the run of "${name}"`),
    ...deferred.running.map((path) => `a deferred function of "${path === "" ? nameOf(app) : fqnIn(root, path)}"`),
    ...[...behind].map(({ fqn }) => `"${fqn}", which waits for a deferred function`),
  ];
  if (awaited.length === 0) awaited.push("a hook or the state store");
  const lines = [
    `The run of "${nameOf(app)}" cannot continue, because nothing else can happen in this process. Find the await that can never end, and change it. The run still waits for:`,
    ...awaited.slice(0, MOST).map((one) => `  - ${one}`),
  ];
  if (awaited.length > MOST) lines.push(`  - and ${awaited.length - MOST} more`);
  if (deferred.size > 0) {
    lines.push(
      `finalize() runs deferred functions only after all of these have settled (not run yet: ${deferred.size}). So do not await a deferred function in one of them: pass the promise that defer() returned in the props of a resource, or await it after finalize().`,
    );
  }
  return lines.join("\n");
}

/** @throws EngineError `INVALID_CALL` if one of the resources waits for a function that has not run */
export function refuseWaiting(app: App, pending: readonly PendingResource<unknown>[], what: string): void {
  const first = pending.find((one) => app.run.waits.isDeferred(one));
  if (!first) return;
  throw new EngineError(
    "INVALID_CALL",
    `${what} too early: "${first.fqn}" waits for a deferred function, which runs when the scope that deferred it is finalized. Finalize that scope first.`,
    { fqn: first.fqn },
  );
}

/** Fails declarations that wait for deferred functions, because the run ends without running them. */
export function failUnapplied(app: App): void {
  for (const pending of app.run.waits.unsettled(() => true)) {
    if (!app.run.waits.isDeferred(pending)) continue;
    const { kind, id, fqn, scope } = pending;
    const message = `"${fqn}" was not applied, because it waits for a deferred function, which runs at finalize(), and the run ended without it. Await app.finalize() at the end of the program.`;
    emitFailure({ app, scope, ref: { kind, id, fqn }, action: "create" }, new EngineError("ABORTED", message, { fqn }));
  }
}

function fqnOf({ ledger, root }: App, uid: string): string {
  return fqnIn(root, ledger.contents.records.get(uid)?.key ?? uid);
}

function nameOf({ root }: App): string {
  return root.chain.join("/");
}
