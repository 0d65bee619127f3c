import { createEventBus, type EventBus } from "../../core/events.js";
import type { HookCalls } from "../../core/hook-table.js";
import { createHooks } from "../../core/hooks.js";
import type { PluginHost } from "../../core/plugin.js";
import { runControl } from "../../core/run-control.js";

export interface TestHost extends PluginHost {
  /** The engine's side of the hooks. */
  readonly calls: HookCalls;
  readonly bus: EventBus;
}

/** What plugins are installed into, with no app behind it. */
export function newHost(): TestHost {
  const { hooks, calls } = createHooks();
  const bus = createEventBus();
  return {
    hooks,
    calls,
    bus,
    events: bus.source,
    control: runControl(),
    warn: (code, text) => bus.warn(code, text),
    ask: async () => undefined,
  };
}
