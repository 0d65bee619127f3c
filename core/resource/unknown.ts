/** Stands for an output that does not exist: it can be passed on, but not computed with. */
import { EngineError } from "../errors.js";

/**
 * An unknown value: its members are unknown values too. It can be awaited, spread, put into strings and JSON, where
 * it leaves a marker of lower-case letters and digits; what would need the real value throws `UNKNOWN_VALUE`.
 *
 * @param what the resource and property, for messages, e.g. `app/dev/site.path`
 */
export function unknownValue(what: string): unknown {
  const refuse = (how: string): never => {
    throw new EngineError("UNKNOWN_VALUE", `${what} is not known here, so it cannot be ${how}.`);
  };
  const marker = `unknown0${Buffer.from(what, "utf8").toString("hex")}0`;
  // An arrow function has no property that a proxy must report: spreading it gives what the traps say.
  return new Proxy(() => {}, {
    get(_target, name) {
      if (name === "then") return undefined;
      if (name === "toString" || name === "toJSON") return () => marker;
      if (name === Symbol.toPrimitive)
        return (hint: string) => (hint === "number" ? refuse("used as a number") : marker);
      if (name === Symbol.iterator || name === Symbol.asyncIterator) return refuse("iterated over");
      if (typeof name === "symbol") return undefined;
      return unknownValue(`${what}.${name}`);
    },
    has: () => refuse("searched with `in`"),
    apply: () => refuse("called"),
    set: () => refuse("changed"),
    deleteProperty: () => refuse("changed"),
    ownKeys: () => [marker],
    getOwnPropertyDescriptor: () => ({ value: marker, enumerable: true, configurable: true }),
  });
}
