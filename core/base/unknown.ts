/** Stands for an output that does not exist yet: it can be passed on, but not computed with. */
import { inspect } from "node:util";
import { EngineError } from "./errors.js";

interface Unknown {
  /** What it stands for, e.g. `app/dev/site.path`. */
  readonly what: string;
  readonly known: Readonly<Record<string, unknown>>;
}

const unknowns = new WeakMap<object, Unknown>();

// The letters around the hexadecimal digits are none themselves: so it is known where a marker ends.
const BEGIN = "unknownx";
const END = "z";
const MARKER = /unknownx((?:[0-9a-f]{2})+)z/g;

/**
 * An unknown value: its members are unknown values too, but for those that are known already. It can be awaited, spread,
 * put into strings and JSON, where it leaves a marker of lower-case letters and digits; what would need the real value
 * throws `UNKNOWN_VALUE`.
 *
 * Spreading and listing keys are one to a proxy: both give what is known, and the marker as a key for the rest.
 *
 * @param what the resource and property, for messages, e.g. `app/dev/site.path`
 */
export function unknownValue(what: string, known: Readonly<Record<string, unknown>> = {}): unknown {
  const refuse = (how: string): never => {
    throw new EngineError("UNKNOWN_VALUE", `${what} is not known here, so it cannot be ${how}.`);
  };
  const marker = markerOf(what);
  const isKnown = (name: string | symbol): boolean => Object.hasOwn(known, name);
  // An arrow function has no property that a proxy must report: spreading it gives what the traps say.
  const target = Object.defineProperty(() => {}, inspect.custom, { value: () => marker, configurable: true });
  const proxy = new Proxy(target, {
    get(_target, name) {
      if (isKnown(name)) return Reflect.get(known, name);
      if (name === "then") return undefined;
      if (name === "toString" || name === "toJSON") return () => marker;
      if (name === Symbol.toPrimitive)
        return (hint: string) => (hint === "number" ? refuse("used as a number") : marker);
      if (name === Symbol.iterator || name === Symbol.asyncIterator) return refuse("iterated over");
      if (typeof name === "symbol") return undefined;
      return unknownValue(name === marker ? what : `${what}.${name}`);
    },
    has: (_target, name) => isKnown(name) || refuse("searched with `in`"),
    apply: () => refuse("called"),
    set: () => refuse("changed"),
    deleteProperty: () => refuse("changed"),
    defineProperty: () => refuse("changed"),
    preventExtensions: () => refuse("frozen"),
    ownKeys: () => [...Object.keys(known), marker],
    getOwnPropertyDescriptor: (_target, name) => ({
      value: isKnown(name) ? Reflect.get(known, name) : marker,
      enumerable: true,
      configurable: true,
    }),
  });
  unknowns.set(proxy, { what, known });
  return proxy;
}

/** What an unknown value stands for; undefined for any other value. */
export function unknownName(value: unknown): string | undefined {
  return typeof value === "function" ? unknowns.get(value)?.what : undefined;
}

/** The members of an unknown value that are known already. */
export function knownMembers(value: unknown): Readonly<Record<string, unknown>> {
  return (typeof value === "function" && unknowns.get(value)?.known) || {};
}

/** True for a value that nobody knows yet, as plans have them in props and outputs; what it is compared with says nothing. */
export function isUnknown(value: unknown): boolean {
  return unknownName(value) !== undefined || (typeof value === "string" && hasMarker(value));
}

/** True for a text into which an unknown value was put. */
export function hasMarker(text: string): boolean {
  return text.includes(BEGIN) && text.search(MARKER) >= 0;
}

/** The text with something else instead of each marker. */
export function withoutMarkers(text: string, replacement: (what: string) => string): string {
  if (!text.includes(BEGIN)) return text;
  return text.replace(MARKER, (_marker, hex: string) => replacement(Buffer.from(hex, "hex").toString("utf8")));
}

/** The text that an unknown value leaves wherever it is put. */
function markerOf(what: string): string {
  return `${BEGIN}${Buffer.from(what, "utf8").toString("hex")}${END}`;
}
