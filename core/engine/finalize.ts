/** The end of a run, one step per line, and the events about it. */
import { emitExcluded } from "../apply/index.js";
import {
  below,
  ciRun,
  everywhere,
  failureNote,
  messageOf,
  monotonicNow,
  processName,
  RunFailedError,
} from "../base/index.js";
import { type FinalizeOptions, INTERNALS, type RunInfo, type Scope } from "../contract/index.js";
import { destroyStage, prune } from "../destroy/index.js";
import { failUnapplied, interruption, refuseWaiting } from "../handler/index.js";
import { type App, askBeforeFinalize, callScopeHook, settlePartial, unmatchedErrors } from "../run/index.js";
import { runCleanup } from "../scope/index.js";
import { readRecovery } from "../state/index.js";

/** Maximum number of listed actions of a saved plan that were not done. */
const MOST_UNDONE = 20;

export async function finalizeRoot(app: App, { noop = false, empty = false }: FinalizeOptions): Promise<void> {
  await app.started();
  if (empty) app.run.isLook = false;
  app.run.progress.advance("settling");
  await settle(app, "");
  await step(app, () => callFinalizeHook(app, "beforeFinalize"));
  // Waits for declarations of the `beforeFinalize` taps.
  await settle(app, "");
  app.run.progress.advance("pruning");
  // After a failure, a pattern may be unmatched only because the program did not get so far.
  if (app.options.phase === "up" && app.run.failures.length === 0) failUnmatched(app);
  if (app.options.phase === "destroy" && !app.run.progress.isDestroyed && !noop)
    await step(app, () => destroyStage(app, true));
  if (isHealthy(app) && app.options.phase === "up" && !noop) {
    await step(app, () => (app.run.isLook ? warnOfLook(app, app.root) : pruneBelow(app, app.root)));
  }
  await endRun(app, isHealthy(app) ? "done" : "failed");
}

/** Finalizes a scope other than the root: its deferred functions, and with `force` its orphans. */
export async function finalizeScope(
  app: App,
  scope: Scope,
  { force = false, noop = false, empty = false }: FinalizeOptions,
): Promise<void> {
  await app.ready();
  const { path } = scope[INTERNALS];
  await settle(app, path);
  const mine = below(path);
  if (force && !noop && app.options.phase === "up" && !app.run.hasFailed(mine)) {
    refuseWaiting(app, app.run.waits.unsettled(mine), `"${scope.chain.join("/")}" is pruned`);
    await step(app, () => (app.run.isLook && !empty ? warnOfLook(app, scope) : pruneBelow(app, scope)), path);
  }
  const errors = app.run.errorsIn(mine);
  if (errors.length > 0) throw runFailed(app, scope, errors);
}

function failUnmatched(app: App): void {
  for (const error of unmatchedErrors(app)) app.run.fail("", error);
}

/** Resources first: their deletes may need what plugins keep for the scope. */
async function pruneBelow(app: App, scope: Scope): Promise<void> {
  await prune(app, scope[INTERNALS].path);
  await callScopeHook(app, "scopePruned", scope);
}

/**
 * Ends the run without pruning: after an exception it is unknown which resources the program would still have declared.
 */
export async function disposeRun(app: App): Promise<void> {
  await app.opening?.work;
  // A destroyed stage that is still withheld from the program has nothing left to report.
  if (app.opening?.isWithheld) return app.release();
  app.run.progress.advance("settling");
  await app.run.waits.settled(everywhere);
  // For example, data that is being encrypted.
  await app.run.ongoing.over();
  const wasHealthy = isHealthy(app);
  failUnapplied(app);
  if (wasHealthy && onlyLooks(app)) return endRun(app, "done", "looked");
  // A failed run is reported with the reason.
  if (wasHealthy) warnOfEnd(app);
  await endRun(app, isHealthy(app) ? "left" : "failed", "the program ended without finalize()");
}

/** Ends the run like `disposeRun`. @throws EngineError `RUN_FAILED` if the run has failed, for a later `finalize()` */
export async function leaveRun(app: App): Promise<void> {
  await disposeRun(app);
  const errors = errorsOf(app);
  if (errors.length > 0) throw runFailed(app, app.root, errors);
}

function warnOfEnd({ ledger, run, root }: App): void {
  const left = ledger.contents.records.size;
  const { size } = run.deferred;
  const unrun = size === 0 ? "" : ` Deferred functions that did not run: ${size}.`;
  run.performer.events.warn(
    "NOT_FINALIZED",
    `The run of "${root.chain.join("/")}" ends without finalize(), so nothing was pruned, and ${stay(left)}.${unrun} Await app.finalize() at the end of the program, or use engine.up().`,
  );
}

async function settle(app: App, path: string): Promise<void> {
  const { run } = app;
  const { deferred } = run;
  const mine = below(path);
  await declared(app, path);
  while (deferred.waits(mine)) {
    const failure = await deferred.runNext(mine);
    if (failure) run.fail(failure.path, failure.error);
    await declared(app, path);
  }
  await step(app, () => settlePartial(app, mine), path);
}

/** Waits for all declarations; at the root also for functions of scopes, which may still declare resources. */
async function declared(app: App, path: string): Promise<void> {
  const { run } = app;
  const { scopeRuns } = run;
  if (path !== "") return run.waits.settled(below(path));
  do {
    for (const name of scopeRuns.names) {
      app.events.warn(
        "UNAWAITED_SCOPE",
        `finalize() waits for the run of "${name}", which has not ended. Await engine.run() and app.run().`,
      );
    }
    await scopeRuns.over();
    await run.waits.settled(everywhere);
    await run.ongoing.over();
  } while (scopeRuns.names.length > 0);
}

/** @param stopped the reason that the program was not followed to its end; then no caller catches the failures */
async function endRun(app: App, outcome: "done" | "failed" | "left", stopped?: string): Promise<void> {
  const { run } = app;
  run.progress.advance("closing");
  await step(app, () => app.ledger.close(outcome, run.summary));
  if (app.signal.aborted || !isHealthy(app)) await step(app, () => keepResults(app));
  await step(app, () => report(app, stopped));
  if (!app.cleanupAtExit) await runCleanup(app);
  await step(app, () => app.release());
  const errors = errorsOf(app);
  if (errors.length > 0 && stopped === undefined) throw runFailed(app, app.root, errors);
}

/** Releases the resources of a failed start. @returns the error with secrets masked */
export async function giveUpStart(app: App, thrown: unknown): Promise<unknown> {
  if (app.isReady) {
    await app.ledger.close("failed", app.run.summary).catch(() => {});
    await keepResults(app).catch((failure: unknown) => app.events.warn("RECOVERY_FAILED", messageOf(failure)));
  }
  await app.release().catch(() => {});
  const error = app.safe(thrown);
  emitStartFailed(app, error);
  // If a plugin has taken over the cleanup, it runs at the end of the process; a reported run is cleaned up already.
  if (!app.cleanupAtExit && !app.run.isReported) await runCleanup(app);
  return error;
}

/** Writes results that could not be recorded to a file, for the next run to record. */
async function keepResults({ ledger, events }: App): Promise<void> {
  const path = await ledger.abandon();
  if (path === undefined) return;
  const file = ledger.keyRecord && (await readRecovery(path).catch(() => undefined));
  // A sealed state accepts only encrypted results: another warning says what to do with this file.
  const isRefused = file && !("isLocked" in file && file.isLocked);
  const advice = isRefused ? "" : ' Leave the file there: the next "engine up" or "engine destroy" records them.';
  events.warn("RECOVERY_FILE", `Results that could not be recorded are in ${path}.${advice}`);
}

/** Notifies plugins and observers of the outcome: once, and if `engine()` has destroyed all, there. */
async function report(app: App, stopped?: string): Promise<void> {
  const { run, events } = app;
  if (run.isReported) return;
  run.isReported = true;
  if (app.isToRepeat) return emitRunRepeated(app);
  emitExcluded(app);
  run.warnings.emit(events);
  // The plan that was made before holds all actions.
  const plan = run.isLook && isHealthy(app) ? undefined : run.performer.plan?.(stopped);
  if (plan) {
    events.emit("plan:made", plan);
    await app.planning?.made(app, plan);
  }
  warnOfUndone(app);
  await step(app, () => callFinalizeHook(app, "afterFinalize"));
  events.emit("run:finished", {
    ...runInfo(app),
    ok: plan ? plan.errors.length === 0 : isHealthy(app),
    interrupted: run.isOnlyInterrupted,
    summary: run.summary,
    duration: monotonicNow() - run.started,
    errors: errorsOf(app).map((error) => failureNote(app.safe(error))),
  });
}

/** Returns the identity and owner of a run. */
export function runInfo({ run, options, root }: App): RunInfo {
  const ci = ciRun(options.env ?? process.env);
  const by = { ...processName(), ...(ci === undefined ? {} : { ci }) };
  const { appName: app, stage } = root;
  return { run: run.id, app, stage, phase: options.phase, planned: options.plan, by };
}

/** Emitted in place of `run:finished` if the program is run again. */
function emitRunRepeated(app: App): void {
  app.events.emit("run:repeated", runInfo(app));
}

/** Emits `run:failed` for observers, who do not catch the rejection of `engine()`; not if the run was reported. */
function emitStartFailed(app: App, error: unknown): void {
  if (app.run.isReported) return;
  if (app.isToRepeat) return emitRunRepeated(app);
  app.events.emit("run:failed", { ...runInfo(app), ...failureNote(error) });
}

function warnOfUndone({ run, events }: App): void {
  const undone = run.performer.undone?.() ?? [];
  if (undone.length === 0) return;
  const shown = undone.slice(0, MOST_UNDONE).map(({ fqn, action, why }) => `${action} "${fqn}" (${why})`);
  const more = undone.length > MOST_UNDONE ? `, and ${undone.length - MOST_UNDONE} more` : "";
  events.warn(
    "PLAN_PARTLY_DONE",
    `The run did not do everything in the saved plan: ${shown.join(", ")}${more}. Make a new plan for the rest.`,
  );
}

/** Performs the phase `destroy`, as far as it is done inside `engine()`. @throws EngineError `RUN_FAILED` */
export async function destroyAtStart(app: App): Promise<void> {
  await destroyStage(app, false);
  if (!app.run.progress.isDestroyed) return;
  if (isHealthy(app)) {
    app.run.progress.closeRecord();
    await app.ledger.close("done", app.run.summary);
    return report(app);
  }
  await endRun(app, "failed");
}

async function callFinalizeHook(app: App, hook: "beforeFinalize" | "afterFinalize"): Promise<void> {
  const { calls, run, options, root } = app;
  // A plan deploys nothing, but it has to list errors that would fail a run before its end.
  if (!calls[hook].used || (options.plan && hook === "afterFinalize")) return;
  const errors = run.errorsIn(everywhere).map((error) => app.safe(error));
  const { summary, isOnlyInterrupted: interrupted } = run;
  const context = { scope: root, phase: options.phase, interrupted, summary, errors };
  await (hook === "beforeFinalize" ? askBeforeFinalize(app, context) : calls.afterFinalize.call(context));
}

/** Performs a step. A failing step fails the run; later steps still run. */
async function step(app: App, run: () => Promise<void>, path = ""): Promise<void> {
  try {
    await run();
  } catch (error) {
    app.run.fail(path, interruption(app, error) ?? error);
  }
}

function runFailed(app: App, scope: Scope, errors: readonly unknown[]): RunFailedError {
  const safe = errors.map((error) => app.safe(error));
  return new RunFailedError(scope.chain.join("/"), safe, app.run.isOnlyInterrupted ? "was interrupted" : "failed");
}

/** Returns the errors that the run fails with. */
function errorsOf(app: App): readonly unknown[] {
  return app.run.performer.errors ?? app.run.errorsIn(everywhere);
}

function isHealthy(app: App): boolean {
  return !app.run.hasFailed(everywhere);
}

/** True if a finalized app was only inspected: it needs no further `finalize()`. */
export function onlyLooks({ run }: App): boolean {
  return run.isLook && run.deferred.size === 0 && run.scopeRuns.names.length === 0;
}

/** Warns instead of pruning: a program that only inspects its resources must not lose them. */
async function warnOfLook({ ledger, events }: App, scope: Scope): Promise<void> {
  const { length } = ledger.contents.recordsBelow(scope[INTERNALS].path);
  if (length === 0) return;
  events.warn(
    "NOTHING_DECLARED",
    `app.run() has declared no resource since the last finalize() of "${scope.root.chain.join("/")}", so nothing was pruned, and ${stay(length)}. To delete ${length === 1 ? "it" : "them"}, pass { empty: true } to finalize().`,
  );
}

/** Returns the number in words. */
function stay(count: number): string {
  return count === 1 ? "1 resource stays recorded" : `${count} resources stay recorded`;
}
