import type { AroundHook, EngineHooks, HookName } from "../../../core/contract/index.js";
import { createHooks } from "../../../core/plugin/index.js";

type Way = "tap" | "tapPromise" | "tapAsync";

/** Taps and calls a hook by name, with values that a program without types could pass. */
export function openHook(name: HookName) {
  const warnings: unknown[] = [];
  const { hooks, calls } = createHooks((code, message) => void warnings.push([code, message]));
  const by = (way: Way) => (plugin: unknown, fn: unknown) => tapUntyped(hooks[name], way, plugin, fn);
  return {
    hooks,
    /** As the type of the hook allows. */
    tap: by(name === "handler" || name === "storeRequest" ? "tapPromise" : "tap"),
    by,
    call: (context: unknown, ...work: unknown[]): unknown =>
      Reflect.apply(calls[name].call, calls[name], [context, ...work]),
    isUsed: () => calls[name].used,
    warnings,
  };
}

/** Taps a hook with a function that its types would refuse. */
export function tapUntyped(
  hook: EngineHooks[HookName] | AroundHook<never>,
  way: Way,
  plugin: unknown,
  fn: unknown,
): unknown {
  return Reflect.apply(Reflect.get(hook, way), hook, [plugin, fn]);
}
