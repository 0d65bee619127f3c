/** Chooses the state store. The default is files in the project's folder. */
import { fsStore } from "../../adapters/fs/index.js";
import type { EnginePlugin } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { storeAt } from "./store-at.js";

/**
 * Makes the store from a URL or a Keyv. Without either it chooses {@link fsStore}, and warns once if that state will
 * not outlive the machine.
 */
export function stateStore(): EnginePlugin {
  return definePlugin({
    name: "state-store",
    apply({ hooks, control, warn }) {
      let hasWarned = false;
      hooks.stateStore.tapPromise("state-store", async (context) => {
        if (context.keyv !== undefined) {
          const { keyvStore } = await import("../../adapters/keyv/index.js");
          return keyvStore(context.keyv)(context);
        }
        if (context.url !== undefined) return storeAt(context.url, context);
        const options = control.status.options;
        const { CI } = options?.env ?? process.env;
        if (CI && options?.phase === "up" && !hasWarned) {
          hasWarned = true;
          warn(
            "LOCAL_STATE_IN_CI",
            `The state of "${context.appName}/${context.stage}" is kept in files on this CI machine, where the next run will not find it. To share it, pass { stateStore: s3Store(…) } or redisStore(…), or set ENGINE_STATE.`,
          );
        }
        return fsStore()(context);
      });
    },
  });
}
