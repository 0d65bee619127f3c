/** Nothing that is recorded is changed before somebody has said yes. */
import { EngineError } from "../../../core/base/index.js";
import type { Holder } from "../../admin/operations/index.js";
import { confirm, isAsking } from "../ask.js";
import { say } from "../output.js";
import type { Given } from "../run-command.js";

/** So many lines are shown. */
const MOST = 50;

/**
 * Shows what is about to be done and asks, unless it was agreed to by `--yes`.
 *
 * @throws EngineError `NOT_CONFIRMED` where the answer is no, or nobody is there to ask
 */
export async function approve({ yes }: Given, what: readonly string[], question: string): Promise<void> {
  if (yes === true) return;
  if (!isAsking()) {
    throw new EngineError(
      "NOT_CONFIRMED",
      `${question} Nobody is there to be asked, and nothing was changed. Pass --yes.`,
    );
  }
  for (const line of what.slice(0, MOST)) say(line);
  if (what.length > MOST) say(`and ${what.length - MOST} more`);
  if (await confirm(question)) return;
  throw new EngineError("NOT_CONFIRMED", "Nothing was changed: that was not confirmed.");
}

/** A count with its noun. */
export function counted(count: number, noun: string, plural = "s"): string {
  return `${count} ${noun}${count === 1 ? "" : plural}`;
}

const LIFE: Readonly<Record<Holder["process"], string>> = {
  runs: "it runs",
  stopped: "it is stopped",
  gone: "it is gone",
  unknown: "on another machine",
};

/** Who is at work on a stage, for people. */
export function holderText({ user, host, pid, since, ci, command, process: life }: Holder): string {
  const parts = [`process ${pid}`, LIFE[life], ...(ci === undefined ? [] : [ci])];
  return `${user}@${host} (${parts.join(", ")}), ${command} since ${since}`;
}
