/** Questions of a command. */
import { confirmed, standardTerminal } from "../internal/terminal/questions.js";

/** False where nobody is there to answer: then nothing is asked, and nothing hangs. */
export function isAsking(): boolean {
  return standardTerminal.isThere && !process.env.CI;
}

/** True for `y` and `yes`; false for all else, the end of the input, and Ctrl-C. */
export function confirm(question: string, signal?: AbortSignal): Promise<boolean> {
  return confirmed(standardTerminal, question, signal);
}

/** One line; empty where there was none. */
export function ask(question: string, signal?: AbortSignal): Promise<string> {
  return standardTerminal.ask(question, signal);
}
