import type { HookName } from "../../core/contract/plugin/hook-table.js";
import { createHooks } from "../../core/plugin/hooks.js";

/** Taps and calls a hook by name, with what a program without types could pass. */
export function openHook(name: HookName) {
  const { hooks, calls } = createHooks();
  return {
    tap: (plugin: unknown, fn: unknown): unknown => Reflect.apply(hooks[name].tap, hooks[name], [plugin, fn]),
    call: (context: unknown, ...work: unknown[]): unknown =>
      Reflect.apply(calls[name].call, calls[name], [context, ...work]),
    isUsed: () => calls[name].used,
  };
}

/** Taps a hook with what the types of a tap around work would refuse. */
export function tapUntyped(
  hook: { tap: unknown },
  plugin: string,
  fn: (context: unknown, next: () => Promise<unknown>) => unknown,
): void {
  if (typeof hook.tap === "function") Reflect.apply(hook.tap, hook, [plugin, fn]);
}
