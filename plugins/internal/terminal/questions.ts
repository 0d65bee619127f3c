/** Questions to whoever sits at the terminal. */

import { processWide } from "../../../core/base/index.js";
import type { AskContext, ResolvedOptions } from "../../../core/contract/index.js";
import { plainText } from "../text/plain-text.js";
import { writeLine } from "./standard-streams.js";

/** Where a question can be asked. */
export interface Terminal {
  /** False where nobody is there to answer: then nothing is asked, and nothing hangs. */
  readonly isThere: boolean;
  show(line: string): void;
  /** One line; empty where there is none: at the end of the input, after Ctrl-C, once the signal is aborted. */
  ask(question: string, signal?: AbortSignal): Promise<string>;
}

export const standardTerminal: Terminal = {
  get isThere() {
    return process.stdin.isTTY === true && process.stderr.isTTY === true;
  },
  show: (line) => writeLine("stderr", plainText(line)),
  async ask(question, signal) {
    // Hardly a run asks anything: none has to wait for this when it starts.
    const [{ createInterface }, { standardRegion }] = await Promise.all([
      import("node:readline/promises"),
      import("./live-region.js"),
    ]);
    const goOn = standardRegion().pause();
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    // Neither the end of the input nor Ctrl-C settles a question.
    const closed = new Promise<string>((resolve) => {
      lines.once("close", () => resolve("\n"));
      lines.once("SIGINT", () => resolve("\n"));
    });
    try {
      const answer = await asking(Promise.race([lines.question(plainText(question), { signal }), closed]));
      // The line of the question has no end yet.
      if (answer === "\n") process.stderr.write("\n");
      return answer.trim();
    } catch {
      return ""; // The run was interrupted.
    } finally {
      lines.close();
      goOn();
    }
  },
};

/** Asks for a yes: true for `y` and `yes` alone. */
export async function confirmed(terminal: Terminal, question: string, signal?: AbortSignal): Promise<boolean> {
  return /^\s*y(es)?\s*$/i.test(await terminal.ask(`${question} [y/N] `, signal));
}

const open = processWide("open-questions@1", () => new Set<Promise<unknown>>());

/** The answer; while it is waited for, {@link answered} waits, too. */
async function asking<T>(answer: Promise<T>): Promise<T> {
  open.add(answer);
  try {
    return await answer;
  } finally {
    open.delete(answer);
  }
}

/** Questions that wait for somebody's answer: what would interrupt the run waits until they have it. */
export function isQuestionOpen(): boolean {
  return open.size > 0;
}

/** Resolves when no question is open. */
export async function answered(): Promise<void> {
  while (open.size > 0) await Promise.allSettled(open);
}

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
