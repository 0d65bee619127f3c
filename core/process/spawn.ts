/** A process that is there from now on: the one that runs already, where it is what is asked for. */
import { EngineError, unknownValue } from "../base/index.js";
import { fqnIn, type Scope, type SpawnOptions } from "../contract/index.js";
import { typeName } from "../options/index.js";
import { claimId } from "./claims.js";
import { checkCommand } from "./command-line.js";
import { asWork } from "./work.js";

export function spawnIn(scope: Scope, id: string, options: SpawnOptions): Promise<string | undefined> {
  return asWork({
    scope,
    method: "spawn",
    id,
    check(app) {
      checkOptions(options);
      claimId(app, scope, id, "spawn");
    },
    // Few programs start processes: what that takes is loaded once one does.
    async begin(app) {
      const { spawnShared } = await import("./kept/spawn-shared.js");
      return spawnShared(app, scope, id, options);
    },
    absent: () => (options.extract ? (unknownValue(fqnIn(scope, id)) as string) : undefined),
  });
}

function checkOptions(options: unknown): void {
  const { command, args = [], extract }: Readonly<Record<string, unknown>> = Object(options);
  if (typeof command !== "string") {
    const message = `The command of spawn() must be a string, the name of a program, not ${typeName(command)}. Its arguments go into args.`;
    throw new EngineError("INVALID_CALL", message);
  }
  if (!Array.isArray(args))
    throw new EngineError("INVALID_CALL", `The args of spawn() must be a list, not ${typeName(args)}.`);
  checkCommand([command, ...args], "INVALID_CALL");
  if (extract === undefined || typeof extract === "function") return;
  throw new EngineError("INVALID_CALL", `The extract of spawn() must be a function, not ${typeName(extract)}.`);
}
