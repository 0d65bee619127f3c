import type { EventBus, HookCalls, PluginHost } from "../../../core/contract/index.js";
import { runControl } from "../../../core/engine/run-control.js";
import { createEventBus, createHooks } from "../../../core/plugin/index.js";

export interface TestHost extends PluginHost {
  /** The engine's side of the hooks. */
  readonly calls: HookCalls;
  readonly bus: EventBus;
}

/** A host for plugins without an app. */
export function newHost(): TestHost {
  const { hooks, calls } = createHooks();
  const bus = createEventBus();
  const control = runControl();
  return {
    hooks,
    calls,
    bus,
    events: bus.source,
    run: control.status,
    control,
    warn: (code, text) => bus.warn(code, text),
    ask: async () => undefined,
  };
}
