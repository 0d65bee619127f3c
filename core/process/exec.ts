/** A command, run to its end. */
import { EngineError } from "../errors.js";
import { unknownValue } from "../resource/unknown.js";
import { fqnIn } from "../scope/internals.js";
import type { Scope } from "../scope/scope.js";
import { claimId } from "./claims.js";
import { type CommandLine, checkCommand } from "./command-line.js";
import type { ChildEnvironment } from "./environment.js";
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
  /** Bytes to keep of each stream, from the end, in whole lines. Default: 8 MiB. */
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
    // Few programs start processes: what that takes is loaded once one does.
    async begin(app) {
      const { runCommand } = await import("./run-command.js");
      return runCommand(app, scope, id, command, options);
    },
    absent: () => unknownResult(fqnIn(scope, id)),
  });
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
