/** What people have been told of a run's failures: what nobody catches need not be told again when the process ends. */
import { messageOf, processWide } from "../../core/base/index.js";
import type { RunControl } from "../../core/contract/index.js";
import { plainText } from "./plain-text.js";

/** Messages as people saw them, for one error may be there in several copies. Of runs whose failures somebody tells. */
const told = processWide("told-failures@1", () => new WeakMap<RunControl, Set<string>>());

/** From now on the caller tells what fails in a run, at the latest when it is over. */
export function tellFailuresOf(run: RunControl): void {
  told.set(run, new Set());
}

export function markTold(run: RunControl, message: string): void {
  told.get(run)?.add(plainText(message));
}

export function isMessageTold(run: RunControl, message: string): boolean {
  return told.get(run)?.has(plainText(message)) ?? false;
}

export function isTold(run: RunControl, error: unknown): boolean {
  return isMessageTold(run, messageOf(run.safe(error)));
}

/** True for what a run that is not over has failed at. */
export function isToBeTold(run: RunControl, error: unknown): boolean {
  if (!told.has(run) || !run.isLive) return false;
  const message = messageOf(run.safe(error));
  return run.errors.some((one) => messageOf(one) === message);
}
