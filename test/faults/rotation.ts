/** Programs that change the password or the key of a stage, and which password opens it. */
import { createEngine } from "../../core/engine.js";
import { isEngineError } from "../../core/errors.js";
import { definePlugin, type EnginePlugin } from "../../core/plugin.js";
import type { StateStore } from "../../core/state/store.js";
import { Keyring } from "../../plugins/secrets/keyring.js";
import { LEAST_COST } from "../../plugins/secrets/password.js";
import { encryptAnew, rotate } from "../../plugins/secrets/rotate.js";

export const COST = LEAST_COST;

const PASSWORDS = ["before", "after"] as const;
const [BEFORE, AFTER] = PASSWORDS;

interface RotationInput {
  readonly store: StateStore;
  readonly folder: string;
  readonly plugins: readonly EnginePlugin[];
}

/** By the names of the programs. */
export const rotations: Readonly<Record<string, (input: RotationInput) => Promise<unknown>>> = {
  rotated: (input) => rotate(beginning(input), "app", { ...optionsOf(input), newPassword: AFTER }),
  rekeyed: (input) => encryptAnew(beginning(input), "app", { ...optionsOf(input), newPassword: AFTER }),
};

/** The one password that opens the stage. Where it has no key yet: the first. @throws where none does, or both */
export async function passwordOf(store: StateStore, folder: string): Promise<string> {
  let hasKey = true;
  const opens = async (password: string): Promise<boolean> => {
    const probe = definePlugin({
      name: "probe",
      apply({ hooks }) {
        hooks.stateLoaded.tap("probe", async (context) => {
          const keyring = new Keyring(context.keep("secrets"), COST);
          hasKey = keyring.has("/");
          if (hasKey) await keyring.current({ path: "/", fqn: "app/dev", opener: { password } });
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
  const open: string[] = [];
  for (const password of PASSWORDS) if (await opens(password)) open.push(password);
  const [only] = open;
  if (only !== undefined && (open.length === 1 || !hasKey)) return only;
  throw new Error(`${open.length} passwords open the stage.`);
}

function beginning({ plugins }: RotationInput): Parameters<typeof rotate>[0] {
  return (appName, options, plugin) => createEngine({ plugins: [...plugins, plugin] })(appName, options);
}

function optionsOf({ store, folder }: RotationInput) {
  return { stage: "dev", stateStore: store, rootDir: folder, env: {}, password: BEFORE, cost: COST } as const;
}
