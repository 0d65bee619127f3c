import type { StateStore } from "../../../core/contract/index.js";
import { createEngine } from "../../../plugins/engine/index.js";

/** What a stage offers, as a program finds it that begins now. */
export async function offered(stateStore: StateStore, appName = "shop", stage = "dev"): Promise<unknown> {
  const engine = createEngine();
  const reader = await engine("reader", { stage: "reading", phase: "read", stateStore, argv: [], env: {} });
  // What a function of run() rejects with fails the run as well.
  const [found] = await reader.run(() => Promise.allSettled([engine.ref(appName, { stage })]));
  await reader.finalize();
  if (found.status === "rejected") throw found.reason;
  return found.value;
}
