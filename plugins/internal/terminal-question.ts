/** Questions to whoever sits at the terminal. */
import { asking } from "./open-questions.js";
import { plainText } from "./plain-text.js";
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
