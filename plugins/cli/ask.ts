/** Questions on a terminal. */
import { asking } from "../internal/open-questions.js";

/** False where nobody is there to answer: then nothing is asked, and nothing hangs. */
export function isAsking(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true && !process.env.CI;
}

/** True for `y` and `yes`; false for all else, the end of the input, and Ctrl-C. */
export async function confirm(question: string, signal?: AbortSignal): Promise<boolean> {
  return /^\s*y(es)?\s*$/i.test(await ask(`${question} [y/N] `, signal));
}

/** One line; empty where there was none. */
export async function ask(question: string, signal?: AbortSignal): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // Neither the end of the input nor Ctrl-C settles a question.
  const closed = new Promise<string>((resolve) => {
    lines.once("close", () => resolve("\n"));
    lines.once("SIGINT", () => resolve("\n"));
  });
  try {
    const answer = await asking(Promise.race([lines.question(question, { signal }), closed]));
    // The line of the question has no end yet.
    if (answer === "\n") process.stderr.write("\n");
    return answer.trim();
  } catch {
    return ""; // Interrupted.
  } finally {
    lines.close();
  }
}
