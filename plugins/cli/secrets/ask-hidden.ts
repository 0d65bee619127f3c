/** A question whose answer is not shown. */
import { Writable } from "node:stream";

/** Empty where there was no answer. */
export async function askHidden(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // Not before: until then the terminal itself shows what is typed.
  process.stderr.write(question);
  // Neither the end of the input nor Ctrl-C settles a question.
  const closed = new Promise<string>((resolve) => {
    lines.once("close", () => resolve(""));
    lines.once("SIGINT", () => resolve(""));
  });
  try {
    return await Promise.race([lines.question(""), closed]);
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}
