/** A command, run to its end. */
import { EngineError } from "../../core/base/index.js";
import type { ExecContext, ExecResult, ProcessCall } from "../../core/contract/index.js";
import { appOf } from "../../core/run/index.js";
import { checkCommand } from "./command-line.js";
import { claimId } from "./id-registry.js";

/** More is a delay that timers do not know. */
const LONGEST = 2 ** 31 - 1;

export function execCall({ scope, id, command, options }: ExecContext): ProcessCall<ExecResult> {
  const app = appOf(scope);
  return {
    check() {
      checkCommand(command, "INVALID_CALL");
      checkCount("timeout", options.timeout);
      checkCount("maxOutput", options.maxOutput);
      claimId(app, scope, id, "exec");
    },
    // Few programs start processes: what that takes is loaded once one does.
    async begin() {
      const { runCommand } = await import("./run/run-command.js");
      return runCommand(app, scope, id, command, options);
    },
  };
}

function checkCount(name: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value === "number" && Number.isInteger(value) && value > 0 && value <= LONGEST) return;
  throw new EngineError("INVALID_CALL", `The ${name} of exec() must be a whole number from 1 to ${LONGEST}.`);
}
