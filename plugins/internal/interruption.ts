/** Why a run is ended from outside: what it was doing then has not failed. */

/** By a watch session. */
export const FILES_CHANGED = "The program's files have changed.";

export function interruptedBy(signal: NodeJS.Signals): string {
  return `The run was interrupted by ${signal}.`;
}

const REASONS: ReadonlySet<string> = new Set([FILES_CHANGED, interruptedBy("SIGINT"), interruptedBy("SIGTERM")]);

/** @param reason message of an error, without what stands in front of it */
export function isInterruption({ code, reason }: { readonly code: string; readonly reason: string }): boolean {
  return code === "ABORTED" && REASONS.has(reason);
}
