/** Implements `exec`: runs a command, and passes its output to the log, the events and the result. */
import { resolve } from "node:path";
import { EngineError, messageOf } from "../../../core/base/index.js";
import {
  type CommandLine,
  type ExecOptions,
  type ExecResult,
  fqnIn,
  type Scope,
} from "../../../core/contract/index.js";
import type { App } from "../../../core/run/index.js";
import { pathsIn } from "../kept/record.js";
import { plainEnvironment, textOf } from "../plain-environment.js";
import { logOf } from "../process-paths.js";
import { ProcessLines, RedactedLines } from "./log-lines.js";
import { OutputTail } from "./output-tail.js";
import { type ChildEnd, runChild } from "./run-child.js";
import { RunLog } from "./run-log.js";

const MOST = 8 * 1024 * 1024;

export async function runCommand(
  app: App,
  scope: Scope,
  id: string,
  command: CommandLine,
  { cwd = ".", env = {}, timeout, signal, maxOutput = MOST }: ExecOptions,
): Promise<ExecResult> {
  const fqn = fqnIn(scope, id);
  const plain = plainEnvironment(env, "INVALID_CALL");
  const tails = { stdout: new OutputTail(maxOutput), stderr: new OutputTail(maxOutput) };
  const lines = { stdout: new RedactedLines(app.redact), stderr: new RedactedLines(app.redact) };
  const limits = new ChildLimits({ run: app.signal, signal, timeout });
  const log = new RunLog(logOf(pathsIn(scope, id)));
  log.line(app.redact(`$ ${textOf(command)}`));
  let pid = 0;
  let told: ProcessLines | undefined;
  const write = (text: string): void => {
    log.write(text);
    told?.add(text);
  };
  let end: ChildEnd | undefined;
  try {
    end = await runChild({
      command,
      cwd: resolve(scope.rootDir, cwd),
      env: plain,
      signal: limits.signal,
      onStart(started) {
        pid = started;
        app.events.emit("process:started", { id, fqn, pid });
        told = new ProcessLines(app.events, { id, fqn, pid });
      },
      onOutput(from, chunk) {
        tails[from].add(chunk);
        write(lines[from].add(chunk));
      },
    });
    return { exitCode: end.exitCode, stdout: tails.stdout.text, stderr: tails.stderr.text };
  } finally {
    limits.end();
    write(lines.stdout.end());
    write(lines.stderr.end());
    log.line(end ? `[exit code ${end.exitCode}]` : "[ended by the engine]");
    log.close();
    if (log.failure !== undefined)
      app.events.warn("LOG_FAILED", `The log of "${fqn}" is incomplete: ${messageOf(log.failure)}`, fqn);
    if (pid > 0) app.events.emit("process:exited", { id, fqn, pid, exitCode: exitCodeOf(end) });
  }
}

/** Returns null if a signal ended the command. */
function exitCodeOf(end: ChildEnd | undefined): number | null {
  return end?.signal === undefined ? (end?.exitCode ?? null) : null;
}

/** Signals and timeout that may end a command early. */
interface Limited {
  readonly run: AbortSignal;
  readonly signal: AbortSignal | undefined;
  readonly timeout: number | undefined;
}

/** Combines the limits into one signal. */
class ChildLimits {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #stops: (() => void)[] = [];

  constructor({ run, signal, timeout }: Limited) {
    this.#follow(run, () => run.reason);
    if (signal) this.#follow(signal, () => aborted(signal.reason));
    if (timeout !== undefined) {
      const late = new EngineError("TIMEOUT", `The command took longer than ${timeout} ms and was ended.`);
      this.#timer = setTimeout(() => this.#controller.abort(late), timeout);
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    clearTimeout(this.#timer);
    for (const stop of this.#stops) stop();
  }

  #follow(signal: AbortSignal, reason: () => unknown): void {
    const abort = (): void => this.#controller.abort(reason());
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    this.#stops.push(() => signal.removeEventListener("abort", abort));
  }
}

function aborted(cause: unknown): EngineError {
  return new EngineError(
    "ABORTED",
    `The command was ended because its option "signal" was aborted: ${messageOf(cause)}`,
    { cause },
  );
}
