import type { EngineOptions } from "../contract/index.js";
import type { EngineApp } from "./app-parts.js";

/**
 * Another app that is not live, with the plugins of this one, applied once more, and where it runs: nothing of it is ever
 * current, and it takes no part in the run.
 *
 * @param own what it is to be made with besides
 */
export function detachedAppOf(app: EngineApp, appName: string, own: EngineOptions): EngineApp {
  const { rootDir, profile, plugins, quiet, json, logger, env, stage, password, key, stateStore, strictState } =
    app.options;
  // It is no run of its own: nothing is told of it.
  const shared: EngineOptions = { rootDir, profile, plugins, quiet, json, logger, env, strictState, telemetry: false };
  // Arguments are for the run: they name its phase and stage.
  return app.detachedApp(appName, { ...shared, stage, password, key, stateStore, argv: [], ...own });
}
