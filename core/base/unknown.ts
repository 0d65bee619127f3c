/** Stands for an output that does not exist yet: it can be passed on, but not computed with. */
import { inspect } from "node:util";
import { type Called, callSiteOf, callSiteText } from "./call-site.js";
import { EngineError } from "./errors.js";

interface Unknown {
  /** What it stands for, e.g. `app/dev/site.path`. */
  readonly what: string;
  readonly known: Readonly<Record<string, unknown>>;
  /** Called with each member that is read. */
  onRead: ((member: unknown) => void) | undefined;
}

/** Stands for an unknown value where people read it. */
export const UNKNOWN = "(known after apply)";

const unknowns = new WeakMap<object, Unknown>();

// The letters around the hexadecimal digits are none themselves: so it is known where a marker ends.
const BEGIN = "unknownx";
const END = "z";
/** Of what `+` has made a text of: that may have been meant as a sum, which the language does not tell. */
const END_OF_ADDED = "y";
const MARKER = /unknownx((?:[0-9a-f]{2})+)[yz]/g;
// Numbers beside it may be summands: all of it is one value that is not known.
const ADDED = /(?:(?<!\d)\d+(?:\.\d+)?)?(?:unknownx(?:[0-9a-f]{2})+y(?:\d+(?:\.\d+)?)?)+/g;

/**
 * An unknown value: its members are unknown values too, but for those that are known already. It can be awaited, spread,
 * printed, and put into strings and JSON, where it leaves a marker of lower-case letters and digits; what would need the real value
 * throws `UNKNOWN_VALUE`.
 *
 * Spreading and listing keys are one to a proxy: both give what is known, and the marker as a key for the rest.
 *
 * @param what the resource and property, for messages, e.g. `app/dev/site.path`
 */
export function unknownValue(what: string, known: Readonly<Record<string, unknown>> = {}): unknown {
  const marker = markerOf(what, END);
  const isKnown = (name: string | symbol): boolean => Object.hasOwn(known, name);
  // An arrow function has no property that a proxy must report: spreading it gives what the traps say.
  const target = Object.defineProperty(() => {}, inspect.custom, {
    value: () => printed(what, known),
    configurable: true,
  });
  const toPrimitive = (hint: string): string => {
    if (hint === "number") return refuse(what, "used as a number", toPrimitive);
    return hint === "default" ? markerOf(what, END_OF_ADDED) : marker;
  };
  const read = (member: unknown): unknown => {
    unknowns.get(proxy)?.onRead?.(member);
    return member;
  };
  const traps = {
    get(_target: unknown, name: string | symbol): unknown {
      if (isKnown(name)) return read(Reflect.get(known, name));
      if (name === "then") return undefined;
      if (name === "toString" || name === "toJSON") return () => marker;
      if (name === Symbol.toPrimitive) return toPrimitive;
      if (name === Symbol.iterator || name === Symbol.asyncIterator) return refuse(what, "iterated over", traps.get);
      if (typeof name === "symbol") return undefined;
      return read(unknownValue(name === marker ? what : `${what}.${name}`));
    },
    has: (_target: unknown, name: string | symbol): boolean =>
      isKnown(name) || refuse(what, "searched with `in`", traps.has),
    apply: (): never => refuse(what, "called", traps.apply),
    set: (): never => refuse(what, "changed", traps.set),
    deleteProperty: (): never => refuse(what, "changed", traps.deleteProperty),
    defineProperty: (): never => refuse(what, "changed", traps.defineProperty),
    preventExtensions: (): never => refuse(what, "frozen", traps.preventExtensions),
    ownKeys: (): string[] => [...Object.keys(known), marker],
    getOwnPropertyDescriptor: (_target: unknown, name: string | symbol): PropertyDescriptor => ({
      value: isKnown(name) ? Reflect.get(known, name) : marker,
      enumerable: true,
      configurable: true,
    }),
  };
  const proxy: object = new Proxy(target, traps);
  unknowns.set(proxy, { what, known, onRead: undefined });
  return proxy;
}

/** Calls `listener` with each member of an unknown value that the program reads from now on. */
export function onMemberRead(value: unknown, listener: (member: unknown) => void): void {
  const unknown = typeof value === "function" ? unknowns.get(value) : undefined;
  if (unknown) unknown.onRead = listener;
}

/** What `console.log` prints: the path, and the members that are known. */
function printed(what: string, known: Unknown["known"]): unknown {
  const text = `${what} ${UNKNOWN}`;
  return Object.keys(known).length === 0 ? text : { ...known, "…": text };
}

/** @param used the trap that the program has run into: what has called that is where it says so */
function refuse(what: string, how: string, used: Called): never {
  const where = callSiteText(callSiteOf(used, 8));
  const message = `${what} is not known here, so it cannot be ${how}: ${where}. Pass it on as it is, or let its type say it beforehand by \`outputs\` (see "What a plan can see" in the guide).`;
  throw new EngineError("UNKNOWN_VALUE", message);
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
  const nameIn = (hex: string): string => replacement(Buffer.from(hex, "hex").toString("utf8"));
  const added = (all: string): string =>
    [...new Set([...all.matchAll(MARKER)].map(([, hex = ""]) => nameIn(hex)))].join("");
  return text.replace(ADDED, added).replace(MARKER, (_marker, hex: string) => nameIn(hex));
}

/** The text that an unknown value leaves wherever it is put. */
function markerOf(what: string, end: string): string {
  return `${BEGIN}${Buffer.from(what, "utf8").toString("hex")}${end}`;
}
