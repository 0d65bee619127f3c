import { EngineError } from "../../core/base/index.js";
import { describeError } from "../internal/describe-error.js";
import { watchedRuns } from "../internal/process-watch.js";
import { say } from "./output.js";

/** Says so where the process ends while the program still waits; Node would only end it, with a code of its own. */
export async function watchForDeadlock(entry: string, running: Promise<unknown>): Promise<void> {
  const onIdle = (): void => {
    // Apps that are live are ended first, and tell by themselves what they wait for.
    if (process.exitCode || [...watchedRuns()].length > 0) return;
    const message = `"${entry}" waits for something that cannot happen any more: its "await" outside of functions never comes to an end.`;
    say(describeError(new EngineError("INVALID_PROGRAM", message)));
    process.exitCode = 1;
  };
  process.on("beforeExit", onIdle);
  try {
    await running;
  } finally {
    process.off("beforeExit", onIdle);
  }
}
