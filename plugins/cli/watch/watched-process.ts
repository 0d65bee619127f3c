/** In the process that runs the program for a session: tells the session what it has to know, and does what it says. */
import { EngineError } from "../../../core/base/index.js";
import { FILES_CHANGED } from "../../internal/interruption.js";
import { answered, isQuestionOpen } from "../../internal/open-questions.js";
import { interruptRuns } from "../../internal/process-watch.js";
import { raiseSignal } from "../../internal/raise-signal.js";
import { isOrder, marked, type News } from "./messages.js";
import { codeOf, RelayedSignals } from "./relayed-signals.js";

/** Resolves when it is on its way: the program may end the process at any time. @throws EngineError `INVALID_CALL` */
export async function tellSession(news: News): Promise<void> {
  if (!process.send) {
    throw new EngineError("INVALID_CALL", 'This is a part of "engine watch" and "engine dev": call one of them.');
  }
  await new Promise<void>((resolve) => {
    // Where nobody listens any more, the process is about to be told.
    process.send?.(marked(news), () => resolve());
  });
}

/** @param orphaned what is to be done first where the session has died */
export function obeySession(orphaned: () => Promise<void>): void {
  const signals = new RelayedSignals();
  let isEnding = false;
  process.on("message", (message: unknown) => {
    if (!isOrder(message)) return;
    if (message.type === "signal") return signals.raise(message.signal, message.count);
    if (isEnding) return;
    isEnding = true;
    void endProgram();
  });
  // Whoever was to tell it is gone.
  process.on("disconnect", () => void orphaned().finally(() => signals.raise("SIGINT", 1)));
  // To listen keeps no process that has nothing else to do.
  process.channel?.unref();
}

async function endProgram(): Promise<void> {
  if (isQuestionOpen()) {
    await tellSession({ type: "asking" });
    await answered();
  }
  if (interruptRuns(FILES_CHANGED)) return tellSession({ type: "ending", what: "run" });
  await tellSession({ type: "ending", what: "program" });
  // As a service manager would: the program may have something to close.
  raiseSignal("SIGTERM", codeOf("SIGTERM"));
}
