/** `engine state seal`: from now on nobody without the key can change the state. */
import { sealState } from "../../index.js";
import { print, printJson } from "../output.js";
import { approve, counted } from "./approval.js";
import type { InState } from "./in-state.js";
import { asOnlyApp } from "./only-app.js";

export async function seal({ app, store, settings, given }: InState): Promise<void> {
  const { rootDir, profile, lockTimeout, signal, password, key, env, strictState } = app.options;
  const { app: name, stage } = settings;
  asOnlyApp(store);
  const isSealed = await sealState(name, {
    stage,
    stateStore: store,
    password,
    key,
    rootDir,
    profile,
    lockTimeout,
    signal,
    env,
    strictState,
    approve: (resources) =>
      approve(
        given,
        [
          `${counted(resources, "resource")} recorded there; nothing proves who wrote that: look at it first (engine state show, engine plan)`,
          "from then on every run needs the password or key, and versions that know no seals cannot use the stage",
        ],
        `Seal the state of "${name}/${stage}" as it is?`,
      ),
  });
  if (given.json === true) return printJson({ app: name, stage, sealed: isSealed });
  print(
    isSealed
      ? `The state of "${name}/${stage}" is sealed: what somebody else writes there is refused.`
      : `The state of "${name}/${stage}" is sealed already, or nothing is recorded there yet: then it is sealed with the first change.`,
  );
}
