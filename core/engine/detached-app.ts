import type { EngineOptions } from "../contract/index.js";
import type { EngineApp } from "./app-parts.js";

/**
 * Another app that is not live, with the plugins of this one, applied once more, and where it runs: nothing of it is ever
 * current, and it takes no part in the run.
 *
 * @param own what it is to be made with besides
 */
export function detachedAppOf(app: EngineApp, appName: string, own: EngineOptions): EngineApp {
  return app.detachedApp(appName, { ...handedOn(app), ...own });
}

/** The options of an app that another one has, too. */
export function handedOn({ options }: EngineApp): EngineOptions {
  const { rootDir, profile, plugins, quiet, json, logger, env, stage, password, key, stateStore, strictState } =
    options;
  // It is no run of its own: nothing is told of it.
  const shared: EngineOptions = { rootDir, profile, plugins, quiet, json, logger, env, strictState, telemetry: false };
  // Arguments are for the run: they name its phase and stage.
  return { ...shared, stage, password, key, stateStore, argv: [] };
}
