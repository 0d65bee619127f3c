/** Asks for confirmation before the state is changed. */
import { EngineError } from "../../../core/base/index.js";
import type { Holder } from "../../admin/operations/index.js";
import { canAsk, confirm } from "../ask.js";
import { say } from "../output.js";
import type { Given } from "../run-command.js";

/** Maximum of lines shown. */
const MOST = 50;

/**
 * Shows the planned changes and asks, unless `--yes` was given.
 *
 * @throws EngineError `NOT_CONFIRMED` if the answer is no, or if there is no terminal to ask on
 */
export async function approve({ yes }: Given, what: readonly string[], question: string): Promise<void> {
  if (yes === true) return;
  if (!canAsk()) {
    throw new EngineError(
      "NOT_CONFIRMED",
      `${question} There is no terminal to ask on, so nothing was changed. Pass --yes to confirm.`,
    );
  }
  for (const line of what.slice(0, MOST)) say(line);
  if (what.length > MOST) say(`and ${what.length - MOST} more`);
  if (await confirm(question)) return;
  throw new EngineError("NOT_CONFIRMED", "Nothing was changed because you did not confirm.");
}

const LIFE: Readonly<Record<Holder["process"], string>> = {
  runs: "running",
  stopped: "stopped",
  gone: "not running any more",
  unknown: "on another machine",
};

/** Describes the holder of a lock for people. */
export function holderText({ user, host, pid, since, ci, command, process: life }: Holder): string {
  const parts = [`process ${pid}`, LIFE[life], ...(ci === undefined ? [] : [ci])];
  return `${user}@${host} (${parts.join(", ")}), ${command} since ${since}`;
}
