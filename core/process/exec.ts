/** A command, run to its end. */
import { EngineError, unknownValue } from "../base/index.js";
import { type CommandLine, type ExecOptions, type ExecResult, fqnIn, type Scope } from "../contract/index.js";
import { claimId } from "./claims.js";
import { checkCommand } from "./command-line.js";
import { asWork } from "./work.js";

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
      const { runCommand } = await import("./run/run-command.js");
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
