/** Questions of a command. */
import { confirmed, standardTerminal } from "../internal/terminal/questions.js";

/** True if there is a terminal to ask on. Without one, commands ask nothing, so that they never hang. */
export function canAsk(): boolean {
  return standardTerminal.isThere && !process.env.CI;
}

/** Asks a yes-or-no question. True for `y` and `yes`; false for any other answer, the end of the input, and Ctrl-C. */
export function confirm(question: string, signal?: AbortSignal): Promise<boolean> {
  return confirmed(standardTerminal, question, signal);
}

/** Asks for one line; empty if there was no answer. */
export function ask(question: string, signal?: AbortSignal): Promise<string> {
  return standardTerminal.ask(question, signal);
}
