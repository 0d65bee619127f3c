/** What a plugin is told that asks for a hook which there is not. */
import { EngineError, nearest } from "../base/index.js";

/**
 * Behind the hooks, so that who asks for one that is there pays nothing. `"name" in hooks` asks whether there is one.
 *
 * @param hooks by name
 */
export function withoutOthers<T extends object>(hooks: T): T {
  const refuse = (_target: object, name: string | symbol): unknown => {
    // What the language, and what shows values, asks of every object.
    if (typeof name === "symbol" || name in Object.prototype || name === "then" || name === "toJSON") {
      return Reflect.get(Object.prototype, name);
    }
    const near = nearest(name, Object.keys(hooks));
    const hint = near === undefined ? `The hooks are: ${Object.keys(hooks).join(", ")}.` : `Did you mean "${near}"?`;
    throw new EngineError("INVALID_DEFINITION", `There is no hook "${name}". ${hint}`);
  };
  return Object.setPrototypeOf(hooks, new Proxy({}, { get: refuse }));
}
