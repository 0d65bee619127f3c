/** Watches over the process for all runs in it: signals, errors that nobody catches, and the natural end. */
import { EngineError, perProcess, platform, RunFailedError } from "../../../core/base/index.js";
import type { RunControl } from "../../../core/contract/index.js";
import { hasHost } from "../../../core/plugin/index.js";
import { isToBeTold, isTold, markTold, tell } from "../terminal/tell.js";
import { describeError } from "../text/describe-error.js";
import { exitCodeOf, interruptedBy } from "./process-end.js";

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

type Signal = keyof typeof SIGNALS;

/**
 * Milliseconds from SIGTERM to the end at the latest: whoever sends it, sends SIGKILL next, which lets nobody say anything. Services that
 * run containers wait for 30 seconds by default.
 */
const GRACE = 25_000;

/** The process is on its way out. */
interface Leaving {
  /** A signal asked for it: the next one ends the process at once. */
  signalled: boolean;
  /** Running handlers have been told. */
  hurried: boolean;
}

interface Watch {
  /** The runs of this process that are not finished, or still have something to clean up. */
  readonly runs: Set<RunControl>;
  /** Errors that nobody caught, and that runs tell when they are over. */
  readonly promised: unknown[];
  leaving: Leaving | undefined;
  /** What the process goes on with once its runs have let go. */
  successor: Successor | undefined;
  stop: (() => void) | undefined;
}

/** Another process that does what this one was to do. */
export interface Successor {
  /** Resolves with its exit code. */
  start(): Promise<number>;
  signal(signal: Signal): void;
}

const watched = perProcess<Watch>("process-watch@3", () => {
  return { runs: new Set(), promised: [], leaving: undefined, successor: undefined, stop: undefined };
});

export function watchOver(run: RunControl): void {
  const watch = watched();
  const { process } = platform();
  watch.runs.add(run);
  if (watch.stop) return;
  const onSignal = (signal: Signal): void => onInterrupt(signal);
  for (const signal of Object.keys(SIGNALS)) process.on(signal, onSignal);
  process.on("uncaughtException", onUncaught);
  process.on("beforeExit", onIdle);
  process.on("exit", onExit);
  watch.stop = () => {
    for (const signal of Object.keys(SIGNALS)) process.off(signal, onSignal);
    process.off("uncaughtException", onUncaught);
    process.off("beforeExit", onIdle);
    process.off("exit", onExit);
    watch.stop = undefined;
  };
}

export function unwatch(run: RunControl): void {
  // Until the process has ended, errors still have to find the handlers.
  const { leaving, runs, stop } = watched();
  if (leaving) return;
  runs.delete(run);
  if (runs.size === 0) stop?.();
}

export function watchedRuns(): Iterable<RunControl> {
  return watched().runs;
}

export function isLeaving(): boolean {
  return watched().leaving !== undefined;
}

/** Ends the process as soon as all runs have let go; its exit code is the one that was set, else 0. */
export function endProcess(how: Leaving = { signalled: false, hurried: false }): void {
  const isUnderWay = isLeaving();
  watched().leaving = how;
  if (!isUnderWay) void leave().then(() => platform().process.exit());
}

/** Ends the process with the exit code of another one, which begins once all runs have let go. What the program fails with is no news. */
export function endWith(successor: Successor): void {
  const watch = watched();
  watch.leaving = { signalled: false, hurried: true };
  watch.successor = successor;
  void leave()
    .then(() => successor.start())
    .then((code) => platform().process.exit(code));
}

/**
 * Ends the process as a first Ctrl-C does, for another reason; a Ctrl-C that comes then is still the first. False where
 * no run is watched over, and nothing is done.
 */
export function interruptRuns(reason: string): boolean {
  const { runs, leaving } = watched();
  if (runs.size === 0) return false;
  if (leaving?.signalled) return true;
  platform().process.exitCode = SIGNALS.SIGINT;
  const names = namesAtWork(watched().runs);
  if (names) tell(`waits for the handlers at work (${names}); press Ctrl-C twice to end at once`);
  hurry(reason);
  endProcess({ signalled: false, hurried: true });
  return true;
}

/** The first one lets running handlers settle; the second one ends the process at once. */
function onInterrupt(signal: Signal): void {
  const { successor } = watched();
  if (successor) return successor.signal(signal);
  platform().process.exitCode = SIGNALS[signal];
  const names = namesAtWork(watched().runs);
  if (watched().leaving?.signalled) {
    endNow("interrupted again: ends now");
  }
  if (names) {
    const left = [...watched().runs].reduce((sum, { status }) => sum + status.queued, 0);
    const notBegun = left > 0 ? `; ${left} not begun` : "";
    tell(`interrupted: waits for the handlers at work (${names})${notBegun}; press Ctrl-C again to end at once`);
  }
  const reason = interruptedBy(signal);
  if (names) isSaid(reason);
  hurry(reason, signal);
  endProcess({ signalled: true, hurried: true });
  // At a terminal somebody decides how long to wait. It keeps no process that has nothing else to wait for.
  if (signal === "SIGTERM")
    platform().every(GRACE, () => endNow(`told to end ${GRACE / 1_000} s ago (SIGTERM): ends now`));
}

function endNow(why: string): void {
  const names = namesAtWork(watched().runs);
  tellPromised();
  tell(`${why}${names && `, whatever the handlers at work do (${names})`}`);
  platform().process.exit();
}

function onUncaught(error: unknown): void {
  if (watched().successor) return;
  // What an interrupted run rejects with is no news: its resources have been told of.
  if (!watched().leaving || !(error instanceof EngineError)) {
    for (const part of newsIn(error)) tellError(part);
  }
  platform().process.exitCode ||= exitCodeOf([error]);
  if (watched().leaving) return;
  const reason = "The program ended with an error.";
  isSaid(reason);
  for (const run of watched().runs) run.abort(reason);
  endProcess({ signalled: false, hurried: true });
}

/** The error, or those of its parts that no run tells of by itself. */
function newsIn(error: unknown): readonly unknown[] {
  const { promised } = watched();
  const runs = [...watched().runs];
  const parts = error instanceof RunFailedError ? error.errors : [error];
  const untold = parts.filter((part) => !runs.some((run) => isTold(run, part)));
  const news = untold.filter((part) => !runs.some((run) => isToBeTold(run, part)));
  promised.push(...untold.filter((part) => !news.includes(part)));
  return news.length === parts.length ? [error] : news;
}

/** Before an end that no run gets to report. */
function tellPromised(): void {
  const { promised, runs } = watched();
  const untold = promised.filter((error) => ![...runs].some((run) => isTold(run, error)));
  for (const error of untold) tellError(error);
}

function tellError(error: unknown): void {
  const isVerbose = [...watched().runs].some(({ status }) => status.options?.verbose);
  tell(describeError(safe(error), isVerbose));
}

/** No run has to tell of it. */
function isSaid(reason: string): void {
  for (const run of watched().runs) markTold(run, reason);
}

/** Whichever app's secret it is that the program could not help telling. */
function safe(error: unknown): unknown {
  return [...watched().runs].reduce((told, run) => run.status.safe(told), error);
}

/** Nothing is left to do in the program: it has ended without finalize, or only cleanup waits. */
function onIdle(): void {
  const watch = watched();
  if (!watch.leaving) {
    failUnfinished(watch.runs);
    watch.leaving = { signalled: false, hurried: false };
    void leave().then(() => {
      watch.leaving = undefined;
      for (const run of watch.runs) unwatch(run);
    });
  } else if (!watch.leaving.hurried) {
    // Handlers may wait for what cannot happen any more; their signal may set them free.
    watch.leaving.hurried = true;
    for (const run of watch.runs) reportDeadlock(run);
  } else {
    tellPromised();
    tell("The process ends although not all has settled; handlers at work stay recorded as interrupted.");
    platform().process.exitCode ||= 1;
    return;
  }
  // One more turn, so that this is asked again where leaving gets stuck.
  platform().nextTurn(() => {});
}

function onExit(): void {
  if (!isLeaving()) tellUnfinished(watchedRuns());
  // Nothing is left to run unless the process was ended by process.exit().
  for (const run of watchedRuns()) run.cleanupNow();
}

function reportDeadlock(run: RunControl): void {
  const { standstill = "The program has ended." } = run.status;
  if (run.status.isLive) {
    tell(describeError(new EngineError("ABORTED", standstill)));
    markTold(run, standstill);
    platform().process.exitCode ||= 1;
  }
  run.abort(standstill);
}

function hurry(reason: string, signal?: Signal): void {
  for (const run of watched().runs) run.interrupt(reason, signal);
}

async function leave(): Promise<void> {
  await Promise.allSettled(
    [...watched().runs].map(async (run) => {
      if (run.status.isLive) await run.leave();
      await run.cleanup();
    }),
  );
}

/** So many are named. */
const MOST = 5;

/** The resources whose handlers are at work, for a message; empty where there are none. */
function namesAtWork(runs: Iterable<RunControl>): string {
  const names = [...runs].flatMap(({ status }) => status.atWork);
  const more = names.length - MOST;
  return [...names.slice(0, MOST), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

// Runs that the program leaves in their midst: whatever has started it is to know, e.g. the job of a pipeline.

/** Fails the process where something has started the program. */
function failUnfinished(runs: Iterable<RunControl>): readonly RunControl[] {
  const isUnfinished = (run: RunControl): boolean =>
    run.status.isLive && !run.status.isOpening && !run.status.isLook && run.status.options?.phase !== "read";
  const unfinished = [...runs].filter(isUnfinished);
  if (hasHost() && unfinished.length > 0) platform().process.exitCode ||= 1;
  return unfinished;
}

/** The program has called `process.exit()`: nothing can be done any more, but to say so. */
function tellUnfinished(runs: Iterable<RunControl>): void {
  for (const { status } of failUnfinished(runs)) {
    const { options } = status;
    const left = options?.plan
      ? "no plan was made"
      : "nothing was pruned, what was done last may not be recorded, and a lock that it holds is left to the next run";
    tell(
      `warning  The program ends by process.exit() before finalize() of the stage "${options?.stage}": ${left}. Await finalize() first, and set process.exitCode in place of process.exit(). [NOT_FINALIZED]`,
    );
  }
}
