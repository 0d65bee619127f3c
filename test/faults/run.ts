/** One run of a program in a world, in this process. */

import { isEngineError, RunFailedError } from "../../core/base/index.js";
import type { StateStore } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { createEngine, type EngineParts } from "../../plugins/engine/index.js";
import { processExit } from "../../plugins/process-exit/index.js";
import { secrets } from "../../plugins/secrets/index.js";
import { KEYS } from "../helpers/apps/under-key.js";
import { unfolded } from "../helpers/terminal/unfolded.js";
import type { FileWorld } from "./file-world.js";
import { inWorld } from "./kinds.js";
import { programs, WIDE } from "./programs.js";
import { COST, openerOf, rotations } from "./rotation.js";

/** Engines with different frequencies of checkpoints, and different retention. */
export const SETTINGS = {
  usual: {},
  /** A checkpoint, and a new entry, with every line. */
  rolling: { limits: { entries: 64, tail: 1, small: 1_000_000 }, histories: 1 },
  /** Only the newest checkpoint, and no history. */
  trimming: { limits: { entries: 1, tail: 600, small: 1_000_000 }, checkpoints: 1, histories: 0 },
  /** No checkpoints at all. */
  growing: { limits: { entries: 1_000, tail: 1e9, small: 0 } },
  /** Heartbeats at once. */
  beating: { leaseTtl: 40 },
  /** A lease that others wait for only briefly, and that a busy machine can watch. */
  brief: { leaseTtl: 600 },
  /** With secrets, and a password or key that may have changed meanwhile. */
  secret: {},
} as const satisfies Readonly<Record<string, Omit<EngineParts, "plugins">>>;

export interface RunInput {
  readonly folder: string;
  readonly store: StateStore;
  readonly world: FileWorld;
  /** A name in `programs`; "destroyed" is the phase of that name. */
  readonly program: string;
  readonly settings?: keyof typeof SETTINGS;
  /** True: with a key. A program with secrets and without a key has a password. */
  readonly isSealed?: boolean;
  /** True: the process is the run's own, with its handlers at the end. */
  readonly isAlone?: boolean;
}

/**
 * Resolves with the errors of the run, except for creates with an unknown result: those fail it in the phase destroy.
 */
export function run(input: RunInput): Promise<readonly unknown[]> {
  input.world.start();
  return inWorld.run(input.world, async () => {
    try {
      await tryToRun(input);
      return [];
    } catch (error) {
      const errors = error instanceof RunFailedError ? error.errors : [error];
      return errors.filter((one) => !isEngineError(one, "UNRESOLVED"));
    }
  });
}

async function tryToRun(input: RunInput) {
  const { folder, store, world, program, settings = "usual", isSealed = false, isAlone = false } = input;
  const telling = definePlugin({
    name: "telling",
    apply: ({ events }) =>
      events.on("warning", (warning) => {
        for (const { code, fqn } of unfolded(warning)) world.warn(code, fqn);
      }),
  });
  const rotation = rotations[program];
  const stage = { store, folder, by: isSealed ? "key" : "password" } as const;
  if (rotation) return void (await rotation({ ...stage, plugins: [telling] }));
  const isSecret = settings === "secret" || program === "secrets";
  const opener = isSecret ? await openerOf(stage) : isSealed ? { key: KEYS[0] } : undefined;
  const plugins = [telling, ...(isAlone ? [processExit()] : []), ...(opener ? [secrets({ cost: COST })] : [])];
  const engine = createEngine({ ...SETTINGS[settings], plugins });
  const app = await engine("app", {
    stage: "dev",
    phase: program === "destroyed" ? "destroy" : "up",
    destroyStrategy: WIDE.includes(program) ? "parallel" : "sequential",
    stateStore: store,
    rootDir: folder,
    env: {},
    ...opener,
    ...(isAlone ? {} : { argv: [] }),
  });
  const declare = programs[program] ?? programs.nothing;
  await app.run(async () => await declare?.(app, engine)).catch(() => {});
  await app.finalize();
}
