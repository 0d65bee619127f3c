/** A stage whose values may be secrets, with keys that are cheap to derive. */
import type { EngineOptions, StateStore } from "../../../core/contract/index.js";
import { secrets } from "../../../plugins/secrets/index.js";
import { LEAST_COST } from "../../../plugins/secrets/password.js";
import { Stage } from "./stage.ts";
import { type TypeOptions, World } from "./world.ts";

export const COST = LEAST_COST;
export const PASSWORD = "correct horse";

interface SecretStageOptions extends EngineOptions {
  readonly stateStore?: StateStore;
}

export function secretStage(options: SecretStageOptions = {}): Stage {
  return new Stage({ password: PASSWORD, ...options }, { plugins: [secrets({ cost: COST })] });
}

/** The same with a world and one resource type. */
export function secretWorld(type: TypeOptions = {}) {
  const world = new World();
  return { world, Thing: world.type(type), stage: secretStage() };
}

/** Options with which the tools of an admin find the stage in a store, with keys that are cheap to derive. */
export const inStore = <More extends object>(stateStore: StateStore, more: More) =>
  ({ stage: "dev", stateStore, env: {}, cost: COST, ...more }) as const;

/** All values of a store, or those below a prefix, as one text. */
export async function textIn(store: StateStore, prefix = ""): Promise<string> {
  const keys: string[] = [];
  for await (const key of store.list(prefix)) keys.push(key);
  return (await Promise.all(keys.map((key) => store.get(key)))).join("\n");
}
