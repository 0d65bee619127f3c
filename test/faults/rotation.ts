/** Programs that change the password or the key of a stage, and the one that opens it. */

import { isEngineError } from "../../core/base/index.js";
import type { EnginePlugin, StateStore } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { Keyring } from "../../plugins/secrets/keyring.js";
import type { Opener } from "../../plugins/secrets/opener.js";
import { LEAST_COST } from "../../plugins/secrets/password.js";
import { rekey, rotatePassword } from "../helpers/apps/admin-tools.js";
import { KEYS } from "../helpers/apps/under-key.js";

export const COST = LEAST_COST;

const [BEFORE, AFTER] = KEYS;

/** The opener of a stage at first, the later opener, and the options of the change. */
const CHANGES = {
  password: { openers: [{ password: "before" }, { password: "after" }], next: { newPassword: "after" } },
  key: { openers: [{ key: BEFORE }, { key: AFTER }], next: { newKey: AFTER } },
} as const;

export interface RotationInput {
  readonly store: StateStore;
  readonly folder: string;
  readonly by: keyof typeof CHANGES;
}

interface Rotating extends RotationInput {
  readonly plugins: readonly EnginePlugin[];
}

/** By the names of the programs. */
export const rotations: Readonly<Record<string, (input: Rotating) => Promise<unknown>>> = {
  rotated: (input) => rotatePassword("app", optionsOf(input)),
  rekeyed: (input) => rekey("app", optionsOf(input)),
};

/**
 * The one password or key that opens the stage; the first, if the stage has none yet. @throws if none opens it, or both
 */
export async function openerOf({ store, folder, by }: RotationInput): Promise<Opener> {
  let hasKey = true;
  const opens = async (opener: Opener): Promise<boolean> => {
    const probe = definePlugin({
      name: "probe",
      apply({ hooks }) {
        hooks.stateLoaded.tapPromise("probe", async (context) => {
          const keyring = new Keyring(context.keep("secrets"), COST);
          hasKey = keyring.has("/");
          if (hasKey) await keyring.current({ path: "/", fqn: "app/dev", opener });
        });
      },
    });
    const options = { stage: "dev", phase: "read", stateStore: store, rootDir: folder, env: {}, argv: [] } as const;
    try {
      const app = await createEngine({ plugins: [probe] })("app", options);
      await app.finalize();
      return true;
    } catch (error) {
      if (isEngineError(error, "WRONG_PASSWORD")) return false;
      throw error;
    }
  };
  const open: Opener[] = [];
  for (const opener of CHANGES[by].openers) if (await opens(opener)) open.push(opener);
  const [only] = open;
  if (only !== undefined && (open.length === 1 || !hasKey)) return only;
  throw new Error(`${open.length} of them open the stage.`);
}

function optionsOf({ store, folder, by, plugins }: Rotating) {
  const { openers, next } = CHANGES[by];
  return {
    stage: "dev",
    stateStore: store,
    rootDir: folder,
    env: {},
    cost: COST,
    plugins,
    ...openers[0],
    ...next,
  } as const;
}
