/** A signal of this process to itself, and its exit code. */
import { isEngineError, type PlatformName, RunFailedError } from "../../../core/base/index.js";

/** The part of a process that a signal needs. */
export interface Signalled {
  readonly pid: number;
  kill(pid: number, signal: NodeJS.Signals): unknown;
  emit(event: NodeJS.Signals, signal: NodeJS.Signals): boolean;
  exit(code: number): void;
}

/**
 * Sends a signal to this process. Windows has no signals: Node would end the process at once. There, listeners get the
 * signal as an event; if there are none, the process exits.
 *
 * @param code exit code in that case
 */
export function raiseSignal(
  signal: NodeJS.Signals,
  code: number,
  of: Signalled = process,
  platform: PlatformName = process.platform,
): void {
  if (platform !== "win32") of.kill(of.pid, signal);
  else if (!of.emit(signal, signal)) of.exit(code);
}

/** Returns 3 if the state belonged to another run, else 1. */
export function exitCodeOf(errors: readonly unknown[]): number {
  const parts = errors.flatMap((error) => (error instanceof RunFailedError ? error.errors : [error]));
  return parts.some((error) => isEngineError(error, "STATE_LOCKED") || isEngineError(error, "STATE_MOVED")) ? 3 : 1;
}

/** Reason of a watch session. */
export const FILES_CHANGED = "The program's files have changed.";

export function interruptedBy(signal: NodeJS.Signals): string {
  return `The run was interrupted by ${signal}.`;
}
