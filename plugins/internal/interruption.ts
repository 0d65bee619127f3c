/** Why a run is ended from outside: what it was doing then has not failed. */

/** By a watch session. */
export const FILES_CHANGED = "The program's files have changed.";

export function interruptedBy(signal: NodeJS.Signals): string {
  return `The run was interrupted by ${signal}.`;
}
