import type { HookName } from "../../core/contract/plugin/hook-table.js";
import { createHooks } from "../../core/plugin/hooks.js";

/** Taps and calls a hook by name, with what a program without types could pass. */
export function openHook(name: HookName) {
  const { hooks, calls } = createHooks();
  return {
    tap: (plugin: unknown, fn: unknown): unknown => Reflect.apply(hooks[name].tap, hooks[name], [plugin, fn]),
    call: (context: unknown): unknown => Reflect.apply(calls[name].call, calls[name], [context]),
    isUsed: () => calls[name].used,
  };
}
