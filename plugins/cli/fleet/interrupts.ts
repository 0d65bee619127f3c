/** Lets signals interrupt a command: the first one ends it gracefully, the second one at once. */
import { endProcess, say } from "../output.js";

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

type Signal = keyof typeof SIGNALS;

/** Milliseconds from SIGTERM to the end at the latest: its sender follows with SIGKILL. */
const GRACE = 25_000;

export interface Interrupts {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal;
  /** Exit code of the signal; undefined if there was none. */
  readonly code: number | undefined;
}

/**
 * @param announce returns the message at the first signal
 * @param grace milliseconds from SIGTERM to the end at the latest; undefined for no limit
 */
export function interrupts(announce: () => string, grace: number | undefined = GRACE): Interrupts {
  const controller = new AbortController();
  let code: number | undefined;
  const onSignal = (signal: Signal): void => {
    if (code !== undefined) return endNow(SIGNALS[signal], "interrupted again: ending now");
    code = SIGNALS[signal];
    say(`${announce()}; ${signal === "SIGINT" ? "press Ctrl-C" : "send the signal"} again to end at once`);
    if (signal === "SIGTERM" && grace !== undefined) {
      const why = `received SIGTERM ${grace / 1_000} s ago: ending now`;
      setTimeout(() => endNow(SIGNALS.SIGTERM, why), grace).unref();
    }
    controller.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal);
  return {
    signal: controller.signal,
    get code() {
      return code;
    },
  };
}

function endNow(code: number, why: string): void {
  say(why);
  void endProcess(code);
}
