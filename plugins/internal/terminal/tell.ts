/** Prints messages on standard error, wrapped to the width of a terminal. */
import { messageOf, platform, processWide } from "../../../core/base/index.js";
import type { RunControl } from "../../../core/contract/index.js";
import { wrapped } from "../text/lines.js";
import { plainText } from "../text/plain-text.js";
import { writeLine } from "./standard-streams.js";

/** Indentation of continued rows. */
const INDENT = 2;

/** Stack frames and code have this indentation: they are not wrapped. */
const CODE = /^ {4}/;

export function tell(message: string): void {
  const { stderr } = platform().process;
  const columns = stderr.isTTY ? stderr.columns : undefined;
  for (const line of plainText(message).split("\n")) {
    for (const row of CODE.test(line) ? [line] : wrapped(line, { columns, indent: INDENT })) writeLine("stderr", row);
  }
}

/**
 * Reported messages by run, in the form that people saw: one error may exist in several copies. Only for runs whose
 * failures another part of the program reports.
 */
const told = processWide("told-failures@1", () => new WeakMap<RunControl, Set<string>>());

/** Declares that the caller reports the failures of a run, at the latest at its end. */
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
  return isMessageTold(run, messageOf(run.status.safe(error)));
}

/** Returns true for a failure of a run that is not over. */
export function isToBeTold(run: RunControl, error: unknown): boolean {
  if (!told.has(run) || !run.status.isLive) return false;
  const message = messageOf(run.status.safe(error));
  return run.status.errors.some((one) => messageOf(one) === message);
}
