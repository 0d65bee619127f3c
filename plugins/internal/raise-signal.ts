/** A signal of this process for itself. */
import type { PlatformName } from "../../core/base/index.js";

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
