import { fsStore } from "../../../adapters/fs/index.js";
import { appOf } from "../../../core/run/index.js";
import { createEngine } from "../../../plugins/engine/index.js";

export interface StateSeen {
  /** Keys of the recorded resources, in their order. */
  readonly recorded: readonly string[];
  /** Keys of those among them whose last run was interrupted. */
  readonly pending: readonly string[];
  /** True while a session is open, alive or not. */
  readonly isOpen: boolean;
}

/** The state that another process has left in its project's folder. */
export async function stateIn(rootDir: string, appName: string, stage = "dev"): Promise<StateSeen> {
  const reading = createEngine();
  const app = await reading(appName, { stage, rootDir, phase: "read", stateStore: fsStore() });
  const { ledger } = appOf(app);
  const records = [...ledger.contents.records.values()];
  const isOpen = ledger.hasToClose;
  await app[Symbol.asyncDispose]();
  const settled = records.filter(({ status }) => status === "ready");
  return {
    recorded: settled.map(({ key }) => key).sort(),
    pending: records
      .filter(({ status }) => status !== "ready")
      .map(({ key }) => key)
      .sort(),
    isOpen,
  };
}
