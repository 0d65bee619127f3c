/** An app with the options and plugins of a stage that has not been opened, as the command line uses it. */

import type { EngineOptions } from "../../../core/contract/index.js";
import { setHost } from "../../../core/plugin/index.js";
import { type App, appOf } from "../../../core/run/index.js";
import type { Stage } from "./stage.js";

export async function closedApp(stage: Stage, options: EngineOptions = {}): Promise<App> {
  const apps: App[] = [];
  setHost({
    opening(root) {
      apps.push(appOf(root));
      return Promise.reject(new Error("This is far enough."));
    },
  });
  await stage.open(options).catch(() => {});
  setHost({ opening: () => Promise.resolve() });
  const [app] = apps;
  if (app) return app;
  throw new Error("The stage made no app.");
}
