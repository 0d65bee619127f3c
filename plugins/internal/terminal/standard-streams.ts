/** Lines on the standard streams of the process. Whoever reads them may go away, as `| head` does: no run is failed by it. */
import { hasCode, ignore, messageOf, platform } from "../../../core/base/index.js";

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

/** As streams declare it, whatever the overload. */
type Write = (...args: never[]) => boolean;

export interface Watched {
  write: Write;
}

interface WriteHooks {
  before(): void;
  after(chunk: unknown): void;
}

/** Until the function that it gives is called; then the stream is as it was. */
export function watchWrites(stream: Watched, hooks: WriteHooks): () => void {
  return replaceWrite(stream, (original, args) => {
    hooks.before();
    const answer = original(...args);
    hooks.after(args[0]);
    return answer;
  });
}

/** Writes in another way, until the function that it gives is called. */
export function replaceWrite(
  stream: Watched,
  write: (original: Write, args: Parameters<Write>) => boolean,
): () => void {
  const own = Object.getOwnPropertyDescriptor(stream, "write");
  const before = stream.write;
  const original: Write = (...args) => before.apply(stream, args);
  let isOver = false;
  const replaced: Write = (...args) => (isOver ? original(...args) : write(original, args));
  stream.write = replaced;
  return () => {
    isOver = true;
    // Who has replaced it meanwhile keeps what he has; ours only passes on from now on.
    if (stream.write !== replaced) return;
    if (own) Object.defineProperty(stream, "write", own);
    else Reflect.deleteProperty(stream, "write");
  };
}
