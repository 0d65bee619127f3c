/** Messages for people on standard error, which fit the terminal where it is one. */
import { messageOf, platform, processWide } from "../../../core/base/index.js";
import type { RunControl } from "../../../core/contract/index.js";
import { wrapped } from "../text/lines.js";
import { plainText } from "../text/plain-text.js";
import { writeLine } from "./standard-streams.js";

/** Of the rows that go on. */
const INDENT = 2;

/** Frames of stacks and pieces of code are so far in: they stay as they are. */
const CODE = /^ {4}/;

export function tell(message: string): void {
  const { stderr } = platform().process;
  const columns = stderr.isTTY ? stderr.columns : undefined;
  for (const line of plainText(message).split("\n")) {
    for (const row of CODE.test(line) ? [line] : wrapped(line, { columns, indent: INDENT })) writeLine("stderr", row);
  }
}

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
  return isMessageTold(run, messageOf(run.status.safe(error)));
}

/** True for what a run that is not over has failed at. */
export function isToBeTold(run: RunControl, error: unknown): boolean {
  if (!told.has(run) || !run.status.isLive) return false;
  const message = messageOf(run.status.safe(error));
  return run.status.errors.some((one) => messageOf(one) === message);
}
