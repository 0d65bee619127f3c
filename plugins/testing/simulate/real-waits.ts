/** Notices when code that should live in virtual time waits for something real. */
import { createHook } from "node:async_hooks";

/** What Node calls the things that end a wait from outside, and what people call them. */
const WAITS: readonly (readonly [type: RegExp, name: string])[] = [
  [/^(Timeout|Immediate)$/, "a timer"],
  [/^FSREQ/, "a file"],
  [/^(TCPCONNECTWRAP|PIPECONNECTWRAP|GETADDRINFOREQWRAP|QUERYWRAP|UDPSENDWRAP)$/, "the network"],
  [/^PROCESSWRAP$/, "another process"],
  [/^WORKER$/, "a worker"],
];

/** Enough to find who called. */
const FRAMES = 40;

/**
 * Calls `tell` at the moment when such a wait begins, with what is waited for and the line of code, until the result is
 * called. It is up to `isWatched` whether the code that runs should live in virtual time. On runtimes without hooks for
 * asynchronous work, nothing is ever told.
 */
export function watchRealWaits(isWatched: () => boolean, tell: (what: string, where: string) => void): () => void {
  const hook = createHook({
    init(_id, type) {
      const [, what] = WAITS.find(([pattern]) => pattern.test(type)) ?? [];
      if (what === undefined || !isWatched()) return;
      const frames = stack();
      // A console may gather lines for a moment; nobody waits for that.
      if (!frames.some((frame) => frame.includes("node:internal/console"))) tell(what, callerIn(frames));
    },
  });
  hook.enable();
  return () => hook.disable();
}

function stack(): readonly string[] {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  const { stack: text = "" } = new Error();
  Error.stackTraceLimit = before;
  return text.split("\n").slice(1);
}

/** The first line that belongs neither to Node nor to this file. */
function callerIn(frames: readonly string[]): string {
  // Nothing is left of it in CommonJS that a bundler has made.
  const here: string | undefined = import.meta.url;
  const own = here === undefined ? undefined : new URL(here).pathname;
  const isOwn = (frame: string): boolean => own !== undefined && frame.includes(own);
  const caller = frames.find((frame) => !/\(?node:|<anonymous>\)?$/.test(frame) && !isOwn(frame));
  return caller?.trim().replace(/^at /, "") ?? "an unknown line";
}
