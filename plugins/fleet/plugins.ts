/** The plugins of the engine that runs the stages of a fleet: those of `scope-engine` that print and ask nothing. */
import type { EnginePlugin } from "../../core/contract/index.js";
import { envOptions } from "../env-options/index.js";
import { processes } from "../processes/index.js";
import { builtInKinds } from "../resources/built-in-kinds.js";
import { secrets } from "../secrets/index.js";
import { stateStore } from "../state-store/index.js";
import { providerKinds } from "../terraform/provider-kinds.js";

export function plugins(): readonly EnginePlugin[] {
  return [envOptions(), secrets(), stateStore(), processes(), builtInKinds(), providerKinds()];
}
