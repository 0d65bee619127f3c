/** A signal of this process for itself. */
import { isEngineError, type PlatformName, RunFailedError } from "../../../core/base/index.js";

/** So much of a process as can be told of a signal. */
export interface Signalled {
  readonly pid: number;
  kill(pid: number, signal: NodeJS.Signals): unknown;
  emit(event: NodeJS.Signals, signal: NodeJS.Signals): boolean;
  exit(code: number): void;
}

/**
 * As if somebody had sent it. Windows has no signals: what Node sends there ends a process at once, so those who listen are told by
 * Node's own means, and where nobody does, the process ends.
 *
 * @param code that the process ends with then
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

/** 3 where the state belonged to another run, else 1. */
export function exitCodeOf(errors: readonly unknown[]): number {
  const parts = errors.flatMap((error) => (error instanceof RunFailedError ? error.errors : [error]));
  return parts.some((error) => isEngineError(error, "STATE_LOCKED") || isEngineError(error, "STATE_MOVED")) ? 3 : 1;
}

/** By a watch session. */
export const FILES_CHANGED = "The program's files have changed.";

export function interruptedBy(signal: NodeJS.Signals): string {
  return `The run was interrupted by ${signal}.`;
}
