/** Records now what earlier runs could not: what the next run would do first. */

import type { StateStore } from "../contract/index.js";
import type { EngineApp } from "../engine/index.js";
import { inOwnRun } from "./own-run.js";

export interface Recovered {
  /** What became of each file that was used, a sentence or two each. */
  readonly recorded: readonly string[];
  /** Why each of the others was left. */
  readonly left: readonly string[];
}

/** @throws EngineError as `engine()` does */
export async function recoverNow(app: EngineApp, store: StateStore): Promise<Recovered> {
  const told: { readonly code: string; readonly message: string }[] = [];
  const messages = (code: string): readonly string[] => told.flatMap((one) => (one.code === code ? one.message : []));
  const prepare = (own: EngineApp): void => own.events.source.on("warning", (warning) => void told.push(warning));
  // It is done when the state is loaded.
  await inOwnRun(app, store, { command: "recover", prepare }, async () => {});
  return { recorded: messages("RECOVERED"), left: messages("RECOVERY_LEFT") };
}
