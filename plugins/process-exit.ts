/** What happens to a run when its process ends, is told to end, or meets an error that nobody caught. */
import { inspect } from "node:util";
import { EngineError } from "../core/errors.js";
import { definePlugin, type EnginePlugin } from "../core/plugin.js";
import { processWide } from "../core/process-wide.js";
import type { RunControl } from "../core/run-control.js";

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof SIGNALS;

interface Watch {
  /** The runs of this process that are not finished, or still have something to clean up. */
  readonly runs: Set<RunControl>;
  leaving: boolean;
  stop: (() => void) | undefined;
}

const watch = processWide<Watch>("process-watch@1", () => ({ runs: new Set(), leaving: false, stop: undefined }));

/**
 * Records results and lets go of the state before the process ends, runs cleanup functions, and ends the process after
 * a `--destroy`. Does nothing for a run that is given its own `argv`: there, an embedding program is in charge.
 */
export function processExit(): EnginePlugin {
  return definePlugin({
    name: "process-exit",
    apply({ hooks, events, control }) {
      hooks.options.tap("process-exit", (context) => {
        if (context.options.argv === undefined) begin(control);
        return context;
      });
      events.on("run:started", () => {
        if (watch.runs.has(control)) control.takeOverCleanup();
      });
      events.on("run:finished", ({ phase, ok }) => {
        if (!watch.runs.has(control)) return;
        if (!ok) process.exitCode = exitCodeOf(control.errors);
        if (ok && phase === "destroy" && control.options?.origins.phase !== undefined) {
          // The program behind engine() would declare what has just been destroyed.
          control.withhold();
          void control.cleanup().then(() => process.exit());
        } else if (!control.hasCleanup) end(control);
      });
    },
  });
}

function begin(control: RunControl): void {
  watch.runs.add(control);
  if (watch.stop) return;
  const onSignal = (signal: Signal): void => void onInterrupt(signal);
  const onError = (error: unknown): void => void onUncaught(error);
  const onIdle = (): void => void onBeforeExit();
  for (const signal of Object.keys(SIGNALS)) process.on(signal, onSignal);
  process.on("uncaughtException", onError);
  process.on("beforeExit", onIdle);
  watch.stop = () => {
    for (const signal of Object.keys(SIGNALS)) process.off(signal, onSignal);
    process.off("uncaughtException", onError);
    process.off("beforeExit", onIdle);
    watch.stop = undefined;
  };
}

function end(control: RunControl): void {
  watch.runs.delete(control);
  if (watch.runs.size === 0) watch.stop?.();
}

/** The first one lets running handlers settle; the second one ends the process at once. */
async function onInterrupt(signal: Signal): Promise<void> {
  if (watch.leaving) process.exit(SIGNALS[signal]);
  for (const run of watch.runs) run.interrupt(`The run was interrupted by ${signal}.`);
  await exitWith(SIGNALS[signal]);
}

async function onUncaught(error: unknown): Promise<void> {
  process.stderr.write(`${describe(error)}\n`);
  if (watch.leaving) process.exit(1);
  for (const run of watch.runs) run.interrupt("The program ended with an error.");
  await exitWith(exitCodeOf([error]));
}

/** Nothing is left to do in the program: it has ended without finalize, or only cleanup waits. */
async function onBeforeExit(): Promise<void> {
  if (watch.leaving) return;
  await leave();
  const failed = [...watch.runs].flatMap(({ errors }) => errors);
  if (failed.length > 0) process.exitCode = exitCodeOf(failed);
  for (const run of watch.runs) end(run);
  watch.leaving = false;
}

async function exitWith(code: number): Promise<void> {
  await leave();
  process.exit(code);
}

async function leave(): Promise<void> {
  watch.leaving = true;
  // What is waited for may hold no handle that keeps the process alive.
  const alive = setInterval(() => {}, 1000);
  for (const run of watch.runs) {
    if (run.isLive) await run.leave();
    await run.cleanup();
  }
  clearInterval(alive);
}

/** 3 where the state belonged to another run, else 1. */
function exitCodeOf(errors: readonly unknown[]): number {
  const codes = errors.map((error) => (error instanceof EngineError ? error.code : undefined));
  return codes.some((code) => code === "STATE_LOCKED" || code === "STATE_MOVED") ? 3 : 1;
}

/** The engine's own errors speak for themselves; of others, and of what lies behind, the stack is wanted. */
function describe(error: unknown): string {
  if (!(error instanceof EngineError)) return inspect(error);
  const head = `${error.name} [${error.code}]: ${error.message}`;
  const { cause } = error;
  if (cause === undefined || cause instanceof AggregateError) return head;
  return `${head}\n  because: ${cause instanceof EngineError ? describe(cause) : inspect(cause)}`;
}
