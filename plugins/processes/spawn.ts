/** Checks calls of `spawn` and `exec`, and loads their implementation on demand. */
import { EngineError, typeName } from "../../core/base/index.js";
import type { ExecContext, ExecResult, ProcessCall, SpawnContext } from "../../core/contract/index.js";
import { appOf } from "../../core/run/index.js";
import { checkCommand } from "./plain-environment.js";
import { claimId } from "./process-paths.js";

export function spawnCall({ scope, id, options }: SpawnContext): ProcessCall<string | undefined> {
  const app = appOf(scope);
  return {
    check() {
      checkOptions(options);
      claimId(app, scope, id, "spawn");
    },
    // Few programs start processes, so the code is loaded on demand.
    async begin() {
      const { spawnShared } = await import("./kept/spawn-shared.js");
      return spawnShared(app, scope, id, options);
    },
  };
}

function checkOptions(options: unknown): void {
  const { command, args = [], extract }: Readonly<Record<string, unknown>> = Object(options);
  if (typeof command !== "string") {
    const message = `The command of spawn() must be the name of a program, not ${typeName(command)}. Pass its arguments in "args".`;
    throw new EngineError("INVALID_CALL", message);
  }
  if (!Array.isArray(args))
    throw new EngineError("INVALID_CALL", `The args of spawn() must be a list, not ${typeName(args)}.`);
  checkCommand([command, ...args], "INVALID_CALL");
  if (extract === undefined || typeof extract === "function") return;
  throw new EngineError("INVALID_CALL", `The extract of spawn() must be a function, not ${typeName(extract)}.`);
}

/** Maximum delay of timers. */
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
    // Few programs start processes, so the code is loaded on demand.
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
