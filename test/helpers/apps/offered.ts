import type { StateStore } from "../../../core/contract/index.js";
import { createEngine } from "../../../plugins/engine/index.js";

/** Outputs of a stage, as a program that starts now reads them. */
export async function offered(stateStore: StateStore, appName = "shop", stage = "dev"): Promise<unknown> {
  const engine = createEngine();
  const reader = await engine("reader", { stage: "reading", phase: "read", stateStore, argv: [], env: {} });
  // A rejection in run() also fails the run.
  const [found] = await reader.run(() => Promise.allSettled([engine.ref(appName, { stage })]));
  await reader.finalize();
  if (found.status === "rejected") throw found.reason;
  return found.value;
}
