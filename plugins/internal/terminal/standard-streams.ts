/**
 * Writes lines to the standard streams of the process. A reader that goes away, such as `| head`, does not fail a run.
 */
import { hasCode, ignore, messageOf, platform } from "../../../core/base/index.js";

export type StreamName = "stdout" | "stderr";

/** Streams that failed once. */
const silenced = new Set<StreamName>();

/** Writes a line. Never throws, and keeps no listener. A stream that failed is not written to again. */
export function writeLine(name: StreamName, line: string): void {
  writeText(name, `${line}\n`);
}

/** Like {@link writeLine}, without a line break at the end. */
export function writeText(name: StreamName, text: string): void {
  if (silenced.has(name)) return;
  platform().process[name].write(text, (error) => {
    if (error) silence(name, error);
  });
}

function silence(name: StreamName, error: Error): void {
  // The stream emits "error" next, which is an uncaught exception without a listener.
  if (!process[name].listeners("error").includes(ignore)) process[name].on("error", ignore);
  setImmediate(() => process[name].off("error", ignore));
  if (silenced.has(name)) return;
  silenced.add(name);
  // A closed reader needs no message.
  if (hasCode(error, "EPIPE")) return;
  writeLine("stderr", `Cannot write to ${name}, so nothing more is printed there: ${messageOf(error)}`);
}

/** The type of `write` of streams, for every overload. */
type Write = (...args: never[]) => boolean;

export interface Watched {
  write: Write;
}

interface WriteHooks {
  before(): void;
  after(chunk: unknown): void;
}

/** Calls the hooks around each write, until the returned function is called; then the stream is as before. */
export function watchWrites(stream: Watched, hooks: WriteHooks): () => void {
  return replaceWrite(stream, (original, args) => {
    hooks.before();
    const answer = original(...args);
    hooks.after(args[0]);
    return answer;
  });
}

/** Replaces `write` of a stream until the returned function is called. */
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
    // If another program has replaced `write` since, its function stays, and ours only passes calls on.
    if (stream.write !== replaced) return;
    if (own) Object.defineProperty(stream, "write", own);
    else Reflect.deleteProperty(stream, "write");
  };
}
