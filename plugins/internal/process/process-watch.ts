/** Watches the process for all of its runs: signals, uncaught errors, and the natural end. */
import { EngineError, perProcess, platform, RunFailedError } from "../../../core/base/index.js";
import type { RunControl } from "../../../core/contract/index.js";
import { hasHost } from "../../../core/plugin/index.js";
import { isToBeTold, isTold, markTold, tell } from "../terminal/tell.js";
import { describeError } from "../text/describe-error.js";
import { exitCodeOf, interruptedBy } from "./process-end.js";

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

type Signal = keyof typeof SIGNALS;

/**
 * Milliseconds from SIGTERM to the end at the latest: the sender follows with SIGKILL, which allows no message.
 * Container services wait for 30 seconds by default.
 */
const GRACE = 25_000;

/** The process is ending. */
interface Leaving {
  /** A signal caused it: the next one ends the process at once. */
  signalled: boolean;
  /** The running handlers were informed. */
  hurried: boolean;
}

interface Watch {
  /** The runs of this process that are not finished, or still have to clean up. */
  readonly runs: Set<RunControl>;
  /** Uncaught errors that runs report at their end. */
  readonly promised: unknown[];
  leaving: Leaving | undefined;
  /** The process that takes over once the runs have ended. */
  successor: Successor | undefined;
  stop: (() => void) | undefined;
}

/** Another process that continues the work of this one. */
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
  // Until the process has ended, errors must still reach the listeners.
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

/** Ends the process as soon as all runs have ended, with the exit code that was set, else 0. */
export function endProcess(how: Leaving = { signalled: false, hurried: false }): void {
  const isUnderWay = isLeaving();
  watched().leaving = how;
  if (!isUnderWay) void leave().then(() => platform().process.exit());
}

/**
 * Ends the process with the exit code of another one, which starts once all runs have ended. Failures of the program
 * are not reported any more.
 */
export function endWith(successor: Successor): void {
  const watch = watched();
  watch.leaving = { signalled: false, hurried: true };
  watch.successor = successor;
  void leave()
    .then(() => successor.start())
    .then((code) => platform().process.exit(code));
}

/**
 * Ends the process for another reason as the first Ctrl-C does; a later Ctrl-C still counts as the first. Returns
 * false, and does nothing, if no run is watched.
 */
export function interruptRuns(reason: string): boolean {
  const { runs, leaving } = watched();
  if (runs.size === 0) return false;
  if (leaving?.signalled) return true;
  platform().process.exitCode = SIGNALS.SIGINT;
  const names = namesAtWork(watched().runs);
  if (names) tell(`waiting for the running handlers (${names}); press Ctrl-C twice to end at once`);
  hurry(reason);
  endProcess({ signalled: false, hurried: true });
  return true;
}

/** The first signal lets running handlers settle; the second one ends the process at once. */
function onInterrupt(signal: Signal): void {
  const { successor } = watched();
  if (successor) return successor.signal(signal);
  platform().process.exitCode = SIGNALS[signal];
  const names = namesAtWork(watched().runs);
  if (watched().leaving?.signalled) {
    endNow("interrupted again: ending now");
  }
  if (names) {
    const left = [...watched().runs].reduce((sum, { status }) => sum + status.queued, 0);
    const notBegun = left > 0 ? `; ${left} not begun` : "";
    tell(`interrupted: waiting for the running handlers (${names})${notBegun}; press Ctrl-C again to end at once`);
  }
  const reason = interruptedBy(signal);
  if (names) isSaid(reason);
  hurry(reason, signal);
  endProcess({ signalled: true, hurried: true });
  // At a terminal, the user decides how long to wait. The timer does not keep the process alive.
  if (signal === "SIGTERM")
    platform().every(GRACE, () => endNow(`received SIGTERM ${GRACE / 1_000} s ago: ending now`));
}

function endNow(why: string): void {
  const names = namesAtWork(watched().runs);
  tellPromised();
  tell(`${why}${names && `, without waiting for the running handlers (${names})`}`);
  platform().process.exit();
}

function onUncaught(error: unknown): void {
  if (watched().successor) return;
  // An error of an interrupted run is not reported again: its resources have reported it.
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

/** Returns the error, or its parts that no run reports itself. */
function newsIn(error: unknown): readonly unknown[] {
  const { promised } = watched();
  const runs = [...watched().runs];
  const parts = error instanceof RunFailedError ? error.errors : [error];
  const untold = parts.filter((part) => !runs.some((run) => isTold(run, part)));
  const news = untold.filter((part) => !runs.some((run) => isToBeTold(run, part)));
  promised.push(...untold.filter((part) => !news.includes(part)));
  return news.length === parts.length ? [error] : news;
}

/** Reports the promised errors before an end that no run can report. */
function tellPromised(): void {
  const { promised, runs } = watched();
  const untold = promised.filter((error) => ![...runs].some((run) => isTold(run, error)));
  for (const error of untold) tellError(error);
}

function tellError(error: unknown): void {
  const isVerbose = [...watched().runs].some(({ status }) => status.options?.verbose);
  tell(describeError(safe(error), isVerbose));
}

/** Marks a reason as reported for all runs. */
function isSaid(reason: string): void {
  for (const run of watched().runs) markTold(run, reason);
}

/** Masks the secrets of all apps in the error. */
function safe(error: unknown): unknown {
  return [...watched().runs].reduce((told, run) => run.status.safe(told), error);
}

/** The program has nothing left to do: it ended without finalize(), or only cleanup is left. */
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
    // Handlers may wait for an event that cannot happen any more; their signal may release them.
    watch.leaving.hurried = true;
    for (const run of watch.runs) reportDeadlock(run);
  } else {
    tellPromised();
    tell("The process ends before everything has settled; the state records the running handlers as interrupted.");
    platform().process.exitCode ||= 1;
    return;
  }
  // One more turn, so that this function runs again if leave() gets stuck.
  platform().nextTurn(() => {});
}

function onExit(): void {
  if (!isLeaving()) tellUnfinished(watchedRuns());
  // Nothing is left to run unless process.exit() ended the process.
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

/** The most names in a message. */
const MOST = 5;

/** The resources whose handlers are running, for a message; empty if there are none. */
function namesAtWork(runs: Iterable<RunControl>): string {
  const names = [...runs].flatMap(({ status }) => status.atWork);
  const more = names.length - MOST;
  return [...names.slice(0, MOST), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

// Runs that the program does not finish: their host, e.g. the job of a pipeline, must learn of it.

/** Sets exit code 1 if the program has a host. */
function failUnfinished(runs: Iterable<RunControl>): readonly RunControl[] {
  const isUnfinished = (run: RunControl): boolean =>
    run.status.isLive && !run.status.isOpening && !run.status.isLook && run.status.options?.phase !== "read";
  const unfinished = [...runs].filter(isUnfinished);
  if (hasHost() && unfinished.length > 0) platform().process.exitCode ||= 1;
  return unfinished;
}

/** The program called `process.exit()`: all that is left is to report it. */
function tellUnfinished(runs: Iterable<RunControl>): void {
  for (const { status } of failUnfinished(runs)) {
    const { options } = status;
    const left = options?.plan
      ? "no plan was made"
      : "nothing was pruned, the last changes may not be recorded, and the next run must take over the lock of this run";
    tell(
      `warning  The program called process.exit() before finalize() of the stage "${options?.stage}": ${left}. Await finalize() first, and set process.exitCode instead of calling process.exit(). [NOT_FINALIZED]`,
    );
  }
}
