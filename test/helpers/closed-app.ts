/** An app with the options and plugins of a stage that has not been opened, as the command line has it. */
import type { App } from "../../core/app.js";
import { setHost } from "../../core/host.js";
import type { EngineOptions } from "../../core/options.js";
import { INTERNALS } from "../../core/scope/internals.js";
import type { Stage } from "./stage.js";

export async function closedApp(stage: Stage, options: EngineOptions = {}): Promise<App> {
  const apps: App[] = [];
  setHost({
    opening(root) {
      apps.push(root[INTERNALS].app);
      return Promise.reject(new Error("This is far enough."));
    },
  });
  await stage.open(options).catch(() => {});
  setHost({ opening: () => Promise.resolve() });
  const [app] = apps;
  if (app) return app;
  throw new Error("The stage made no app.");
}
