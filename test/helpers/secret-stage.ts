/** A stage whose values may be secrets, with keys that are quickly derived. */
import type { EngineOptions } from "../../core/options.js";
import type { StateStore } from "../../core/state/store.js";
import { secrets } from "../../plugins/secrets.js";
import { Stage } from "./stage.ts";

/** The least that is accepted. */
export const COST = 2 ** 14;
export const PASSWORD = "correct horse";

interface SecretStageOptions extends EngineOptions {
  readonly stateStore?: StateStore;
}

export function secretStage(options: SecretStageOptions = {}): Stage {
  return new Stage({ password: PASSWORD, ...options }, { plugins: [secrets({ cost: COST })] });
}

/** All that a store holds, as one text. */
export async function textIn(store: StateStore): Promise<string> {
  const keys: string[] = [];
  for await (const key of store.list("")) keys.push(key);
  return (await Promise.all(keys.map((key) => store.get(key)))).join("\n");
}
