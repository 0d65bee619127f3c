/** Questions of plugins at the one terminal that there is: one after the other, each with its details above it. */
import { processWide } from "../../core/base/index.js";
import type { AskContext, ResolvedOptions } from "../../core/contract/index.js";
import { confirmed, type Terminal } from "./terminal-question.js";

/** Whatever asks: several resources at once, or several apps. */
const turn = processWide("ask-terminal@1", () => ({ last: Promise.resolve<unknown>(undefined) }));

type Asked = Pick<AskContext, "question" | "details">;

/** False once the signal is aborted. */
export function askedAtTerminal(
  terminal: Terminal,
  { question, details }: Asked,
  signal: AbortSignal,
): Promise<boolean> {
  const answered = turn.last.then(() => {
    if (signal.aborted) return false;
    for (const line of details) terminal.show(line);
    return confirmed(terminal, question, signal);
  });
  // The next one is asked whatever becomes of this one.
  turn.last = answered.catch(() => {});
  return answered;
}

/** Not in CI, nor where a program reads what is printed, or embeds the engine. */
export function canAskAt(terminal: Terminal, { argv, json, env = process.env }: ResolvedOptions): boolean {
  return argv === undefined && !json && !env.CI && terminal.isThere;
}
