/** Asks questions at the terminal. */

import { processWide } from "../../../core/base/index.js";
import type { AskContext, ResolvedOptions } from "../../../core/contract/index.js";
import { plainText } from "../text/plain-text.js";
import { writeLine } from "./standard-streams.js";

/** The terminal at which questions are asked. */
export interface Terminal {
  /** False if there is no terminal to ask on: then no question is asked, and nothing hangs. */
  readonly isThere: boolean;
  show(line: string): void;
  /** Returns one line; empty at the end of the input, after Ctrl-C, or once the signal is aborted. */
  ask(question: string, signal?: AbortSignal): Promise<string>;
}

export const standardTerminal: Terminal = {
  get isThere() {
    return process.stdin.isTTY === true && process.stderr.isTTY === true;
  },
  show: (line) => writeLine("stderr", plainText(line)),
  async ask(question, signal) {
    // Loaded lazily: few runs ask a question, and none should wait for these modules at its start.
    const [{ createInterface }, { standardRegion }] = await Promise.all([
      import("node:readline/promises"),
      import("./live-region.js"),
    ]);
    const goOn = standardRegion().pause();
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    // readline settles a question neither at the end of the input nor at Ctrl-C.
    const closed = new Promise<string>((resolve) => {
      lines.once("close", () => resolve("\n"));
      lines.once("SIGINT", () => resolve("\n"));
    });
    try {
      const answer = await asking(Promise.race([lines.question(plainText(question), { signal }), closed]));
      // The line of the question is not ended yet.
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

/** Asks for a yes: returns true only for `y` and `yes`. */
export async function confirmed(terminal: Terminal, question: string, signal?: AbortSignal): Promise<boolean> {
  return /^\s*y(es)?\s*$/i.test(await terminal.ask(`${question} [y/N] `, signal));
}

const open = processWide("open-questions@1", () => new Set<Promise<unknown>>());

/** Registers an open question, so that {@link answered} waits for its answer. */
async function asking<T>(answer: Promise<T>): Promise<T> {
  open.add(answer);
  try {
    return await answer;
  } finally {
    open.delete(answer);
  }
}

/** Returns true while a question is open: an event that would interrupt the run waits for the answer. */
export function isQuestionOpen(): boolean {
  return open.size > 0;
}

/** Resolves when no question is open. */
export async function answered(): Promise<void> {
  while (open.size > 0) await Promise.allSettled(open);
}

/** Questions take turns: several resources or apps may ask at once. */
const turn = processWide("ask-terminal@1", () => ({ last: Promise.resolve<unknown>(undefined) }));

type Asked = Pick<AskContext, "question" | "details">;

/** Returns false once the signal is aborted. */
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
  // The next question does not depend on this one's outcome.
  turn.last = answered.catch(() => {});
  return answered;
}

/** Returns false in CI, with machine-readable output, and in a program that embeds the engine. */
export function canAskAt(terminal: Terminal, { argv, json, env = process.env }: ResolvedOptions): boolean {
  return argv === undefined && !json && !env.CI && terminal.isThere;
}
