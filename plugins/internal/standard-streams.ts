/** Lines on the standard streams of the process. Whoever reads them may go away, as `| head` does: no run is failed by it. */
import { hasCode, ignore, messageOf, platform } from "../../core/base/index.js";

export type StreamName = "stdout" | "stderr";

/** Those that could not be written to once. */
const silenced = new Set<StreamName>();

/** Never throws, and keeps no listener. A stream that cannot be written to is not written to again. */
export function writeLine(name: StreamName, line: string): void {
  writeText(name, `${line}\n`);
}

/** As {@link writeLine}, with line breaks where the text has them. */
export function writeText(name: StreamName, text: string): void {
  if (silenced.has(name)) return;
  platform().process[name].write(text, (error) => {
    if (error) silence(name, error);
  });
}

function silence(name: StreamName, error: Error): void {
  // Its "error" event comes next, and is an uncaught exception where nobody listens.
  if (!process[name].listeners("error").includes(ignore)) process[name].on("error", ignore);
  setImmediate(() => process[name].off("error", ignore));
  if (silenced.has(name)) return;
  silenced.add(name);
  // A reader that has gone knows that it has.
  if (hasCode(error, "EPIPE")) return;
  writeLine("stderr", `Nothing more is printed on ${name}, which cannot be written to: ${messageOf(error)}`);
}
