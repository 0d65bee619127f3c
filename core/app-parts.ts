/** What an app is made of. */
import type { App } from "./app.js";
import type { EngineSettings } from "./engine-settings.js";
import type { EventBus } from "./events.js";
import type { EngineHooks, HookCalls } from "./hook-table.js";
import type { EngineOptions, ResolvedOptions } from "./options.js";
import type { Redact, Redaction } from "./redaction.js";
import type { Scope } from "./scope/scope.js";

export interface AppParts {
  readonly options: ResolvedOptions;
  readonly hooks: EngineHooks;
  readonly calls: HookCalls;
  readonly events: EventBus;
  readonly settings: EngineSettings;
  readonly redact: Redact;
  readonly safe: Redaction;
  makeRoot(app: App): Scope;
  /** Another app with the plugins of the same engine, which is not live. */
  readonly sibling: MakeApp;
}

/** @throws EngineError `INVALID_NAME`, `INVALID_OPTION`, `PLUGIN_FAILED`, … */
export type MakeApp = (appName: string, options: EngineOptions) => App;
