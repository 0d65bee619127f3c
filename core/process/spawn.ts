/** A process that is there from now on: the one that runs already, where it is what is asked for. */
import { EngineError } from "../errors.js";
import { typeName } from "../option-rules.js";
import { unknownValue } from "../resource/unknown.js";
import { fqnIn } from "../scope/internals.js";
import type { Scope } from "../scope/scope.js";
import { claimId } from "./claims.js";
import { checkCommand } from "./command-line.js";
import type { ChildEnvironment } from "./environment.js";
import { asWork } from "./work.js";

/** Options of {@link Scope.spawn}. */
export interface SpawnOptions {
  /** The program; no shell is involved. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Folder to run in, relative to the scope's `rootDir`. Default: `rootDir`. */
  readonly cwd?: string;
  /** Added to the environment of this process. Secrets are passed on as they are. */
  readonly env?: ChildEnvironment;
  /** Called with each line of the output, from its first on, until it returns a string: `spawn` resolves with that. */
  readonly extract?: (line: string) => string | undefined;
}

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
      const { spawnShared } = await import("./spawn-shared.js");
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
