/** A command, run to its end. */
import { resolve } from "node:path";
import type { App } from "../app.js";
import { EngineError, messageOf } from "../errors.js";
import { unknownValue } from "../resource/unknown.js";
import { fqnIn } from "../scope/internals.js";
import type { Scope } from "../scope/scope.js";
import { ChildLimits } from "./child-limits.js";
import { claimId } from "./claims.js";
import { type CommandLine, checkCommand, textOf } from "./command-line.js";
import { type ChildEnvironment, plainEnvironment } from "./environment.js";
import { OutputTail } from "./output-tail.js";
import { placeIn } from "./place-in.js";
import { logOf } from "./places.js";
import { RedactedLines } from "./redacted-lines.js";
import { type ChildEnd, runChild } from "./run-child.js";
import { RunLog } from "./run-log.js";
import { asWork } from "./work.js";

/** Options of {@link Scope.exec}. */
export interface ExecOptions {
  /** Folder to run in, relative to the scope's `rootDir`. Default: `rootDir`. */
  readonly cwd?: string;
  /** Added to the environment of this process. Secrets are passed on as they are. */
  readonly env?: ChildEnvironment;
  /** Milliseconds that the command may take. Default: as long as it likes. */
  readonly timeout?: number;
  /** Aborting it ends the command. */
  readonly signal?: AbortSignal;
  /** Bytes to keep of each stream, from the end. Default: 8 MiB. */
  readonly maxOutput?: number;
}

/** What a command gave. */
export interface ExecResult {
  /** Where a signal ended it: 128 and the signal's number, e.g. 137 for SIGKILL. */
  readonly exitCode: number;
  /** As it was written, secrets and all. */
  readonly stdout: string;
  /** As it was written, secrets and all. */
  readonly stderr: string;
}

const MOST = 8 * 1024 * 1024;
/** More is a delay that timers do not know. */
const LONGEST = 2 ** 31 - 1;

export function execIn(scope: Scope, id: string, command: CommandLine, options: ExecOptions = {}): Promise<ExecResult> {
  return asWork({
    scope,
    method: "exec",
    id,
    check(app) {
      checkCommand(command, "INVALID_CALL");
      checkCount("timeout", options.timeout);
      checkCount("maxOutput", options.maxOutput);
      claimId(app, scope, id, "exec");
    },
    begin: (app) => run(app, scope, id, command, options),
    absent: () => unknownResult(fqnIn(scope, id)),
  });
}

async function run(
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
  const log = new RunLog(logOf(placeIn(scope, id)));
  log.line(app.redact(`$ ${textOf(command)}`));
  let pid = 0;
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
      },
      onOutput(from, chunk) {
        tails[from].add(chunk);
        log.write(lines[from].add(chunk));
      },
    });
    return { exitCode: end.exitCode, stdout: tails.stdout.text, stderr: tails.stderr.text };
  } finally {
    limits.end();
    log.write(lines.stdout.end());
    log.write(lines.stderr.end());
    log.line(end ? `[exit code ${end.exitCode}]` : "[ended by the engine]");
    log.close();
    if (log.failure !== undefined)
      app.events.warn("LOG_FAILED", `The log of "${fqn}" is not complete: ${messageOf(log.failure)}`, fqn);
    if (pid > 0) app.events.emit("process:exited", { id, fqn, pid, exitCode: exitCodeOf(end) });
  }
}

/** Null where a signal ended it. */
function exitCodeOf(end: ChildEnd | undefined): number | null {
  return end?.signal === undefined ? (end?.exitCode ?? null) : null;
}

function checkCount(name: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value === "number" && Number.isInteger(value) && value > 0 && value <= LONGEST) return;
  throw new EngineError("INVALID_CALL", `The ${name} of exec() must be a whole number from 1 to ${LONGEST}.`);
}

/** A program goes on as if all were well, as far as it does not need what the command would have written. */
function unknownResult(fqn: string): ExecResult {
  const unknown = (name: string): string => unknownValue(`${fqn}.${name}`) as string;
  return { exitCode: 0, stdout: unknown("stdout"), stderr: unknown("stderr") };
}
