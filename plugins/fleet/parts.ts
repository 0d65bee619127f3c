/** The parts of a fleet that other plugins supply. */
import type { EnginePlugin } from "../../core/contract/index.js";
import type { App } from "../../core/run/index.js";
import { createEngine, type Engine, type EngineParts } from "../engine/index.js";
import { envOptions } from "../env-options/index.js";
import { processes } from "../processes/index.js";
import { stagesRead } from "../references/refer.js";
import { builtInKinds } from "../resources/built-in-kinds.js";
import { TAG } from "../secrets/envelope.js";
import { secrets } from "../secrets/index.js";
import { Secret } from "../secrets/secret.js";
import { stateStore } from "../state-store/index.js";
import { providerKinds } from "../terraform/provider-kinds.js";

/** Creates the engine that runs stages. */
export function stageEngine(settings: Pick<EngineParts, "histories" | "checkpoints">): Engine {
  return createEngine({ plugins: plugins(), ...settings });
}

/** Returns the other stages of the app whose outputs its present run has asked for. */
export function stagesReadBy(app: App): readonly string[] {
  return stagesRead(app);
}

/** The plugins of the engine that runs the stages of a fleet: those of `scope-engine` that print and ask nothing. */
export function plugins(): readonly EnginePlugin[] {
  return [envOptions(), secrets(), stateStore(), processes(), builtInKinds(), providerKinds()];
}

/** Registers the password of a URL as a secret, so that the engine masks it everywhere. */
export function maskPassword(text: string): void {
  const password = URL.canParse(text) ? new URL(text).password : "";
  if (password !== "") new Secret(decodeURIComponent(password), "password of the queue");
}

/** True if an encoded value may hold a secret. */
export function holdsSecret(encoded: string): boolean {
  return encoded.includes(`"${TAG}"`);
}
