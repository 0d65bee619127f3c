/** Hears of what anybody writes to a stream. */

/** As streams declare it, whatever the overload. */
type Write = (...args: never[]) => boolean;

export interface Watched {
  write: Write;
}

export interface WriteHooks {
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
