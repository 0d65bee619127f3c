/** Waits for a line in the output of a process. */
import { EngineError } from "../../../core/base/index.js";
import type { Kept } from "../kept/ensure-running.js";
import { livenessOf } from "../kept/liveness.js";
import { lastLines, logLines } from "./log-lines.js";

/** Lines that an error shows. */
const SHOWN = 20;

export interface LineWait<T> {
  readonly signal: AbortSignal;
  redact(text: string): string;
  /** Called with each line; anything but `undefined` is the answer. */
  take(line: string): T | undefined;
}

/** Returns the first answer to a line of the log, including old lines. @throws EngineError `PROCESS_FAILED` */
export async function awaitLine<T>(kept: Kept, { signal, redact, take }: LineWait<T>): Promise<T> {
  const { child, record } = kept;
  const hasEnded = (): boolean => hasExited(kept);
  let wake = (): void => {};
  const onExit = (): void => wake();
  child?.once("exit", onExit);
  const onWake = (told: () => void): void => {
    wake = told;
  };
  try {
    for await (const line of logLines(record.log, { signal, hasEnded, onWake })) {
      const answer = take(line);
      if (answer !== undefined) return answer;
    }
  } finally {
    child?.off("exit", onExit);
  }
  throw await diedFirst(kept, redact);
}

/** True if the process itself has ended; processes that it started may still run. */
export function hasExited({ child, record }: Kept): boolean {
  if (child) return child.exitCode !== null || child.signalCode !== null;
  return livenessOf(record.process) === "gone";
}

/** @param before the expected action, as the end of a sentence */
export async function diedFirst(
  { child, record }: Kept,
  redact: (text: string) => string,
  before = "it wrote the expected line",
): Promise<EngineError> {
  const { exitCode = null, signalCode = null } = child ?? {};
  const how =
    signalCode !== null
      ? `was ended by ${signalCode}`
      : exitCode !== null
        ? `ended with exit code ${exitCode}`
        : "ended";
  const said = await lastWords(record.log, redact);
  return new EngineError("PROCESS_FAILED", `The process "${record.fqn}" ${how} before ${before}.${said}`, {
    fqn: record.fqn,
  });
}

/** Returns the last lines of a log as the end of a message. */
export async function lastWords(log: string, redact: (text: string) => string): Promise<string> {
  const last = await lastLines(log, SHOWN);
  return last.length > 0
    ? ` The last lines of its output:\n${redact(last.map((line) => `  ${line}`).join("\n"))}`
    : " It wrote nothing.";
}
