import type { EventBus } from "../../core/contract/plugin/events.js";
import type { HookCalls } from "../../core/contract/plugin/hook-table.js";
import type { PluginHost } from "../../core/contract/plugin/plugin.js";
import { runControl } from "../../core/engine/run-control.js";
import { createEventBus } from "../../core/plugin/events.js";
import { createHooks } from "../../core/plugin/hooks.js";

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
