/** Unknown values: placeholders for outputs that do not exist yet. They can be passed on, but not computed with. */
import { inspect } from "node:util";
import { type Called, callSiteOf, callSiteText } from "./call-site.js";
import { EngineError } from "./errors.js";

interface Unknown {
  /** Name of the value, e.g. `app/dev/site.path`. */
  readonly what: string;
  readonly known: Readonly<Record<string, unknown>>;
  /** Called with each member that is read. */
  onRead: ((member: unknown) => void) | undefined;
}

/** Text for an unknown value in places that people read. */
export const UNKNOWN = "(known after apply)";

const unknowns = new WeakMap<object, Unknown>();

// The letters around the hexadecimal digits are not hexadecimal digits, so the end of a marker is unambiguous.
const BEGIN = "unknownx";
const END = "z";
/** End of a marker in a text made by `+`, which may have been meant as a sum. */
const END_OF_ADDED = "y";
const MARKER = /unknownx((?:[0-9a-f]{2})+)[yz]/g;
// Adjacent numbers may be summands, so the whole text is one unknown value.
const ADDED = /(?:(?<!\d)\d+(?:\.\d+)?)?(?:unknownx(?:[0-9a-f]{2})+y(?:\d+(?:\.\d+)?)?)+/g;

/**
 * Makes an unknown value. Its members are unknown values too, except those that are known already. It can be awaited,
 * spread, printed, and put into strings and JSON, where it leaves a marker of lower-case letters and digits. Operations
 * that need the real value throw `UNKNOWN_VALUE`.
 *
 * A proxy cannot distinguish spreading from listing keys: both give the known members, and the marker as a key for the
 * rest.
 *
 * @param what the resource and property, for messages, e.g. `app/dev/site.path`
 */
export function unknownValue(what: string, known: Readonly<Record<string, unknown>> = {}): unknown {
  const marker = markerOf(what, END);
  const isKnown = (name: string | symbol): boolean => Object.hasOwn(known, name);
  // An arrow function has no property that a proxy must report, so spreading it returns only what the traps report.
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

/** Calls `listener` with each member of an unknown value that the program reads after this call. */
export function onMemberRead(value: unknown, listener: (member: unknown) => void): void {
  const unknown = typeof value === "function" ? unknowns.get(value) : undefined;
  if (unknown) unknown.onRead = listener;
}

/** Value that `console.log` prints: the path and the known members. */
function printed(what: string, known: Unknown["known"]): unknown {
  const text = `${what} ${UNKNOWN}`;
  return Object.keys(known).length === 0 ? text : { ...known, "…": text };
}

/**
 * Throws the error of an unsupported use. @param used the trap that the program triggered, whose caller is the reported
 * place
 */
function refuse(what: string, how: string, used: Called): never {
  const where = callSiteText(callSiteOf(used, 8));
  const message = `${what} is not known yet, so it cannot be ${how}: ${where}. Pass it on unchanged, or let its type predict it with \`outputs\` (see "What a plan can see" in the guide).`;
  throw new EngineError("UNKNOWN_VALUE", message);
}

/** Returns the name of an unknown value, or undefined for any other value. */
export function unknownName(value: unknown): string | undefined {
  return typeof value === "function" ? unknowns.get(value)?.what : undefined;
}

/** Returns the members of an unknown value that are known already. */
export function knownMembers(value: unknown): Readonly<Record<string, unknown>> {
  return (typeof value === "function" && unknowns.get(value)?.known) || {};
}

/**
 * Returns true for a value that is not known yet, as in props and outputs of plans. Comparing such a value has no
 * meaning.
 */
export function isUnknown(value: unknown): boolean {
  return unknownName(value) !== undefined || (typeof value === "string" && hasMarker(value));
}

/** Returns true for a text that contains an unknown value. */
export function hasMarker(text: string): boolean {
  return text.includes(BEGIN) && text.search(MARKER) >= 0;
}

/** Replaces each marker in a text. */
export function withoutMarkers(text: string, replacement: (what: string) => string): string {
  if (!text.includes(BEGIN)) return text;
  const nameIn = (hex: string): string => replacement(Buffer.from(hex, "hex").toString("utf8"));
  const added = (all: string): string =>
    [...new Set([...all.matchAll(MARKER)].map(([, hex = ""]) => nameIn(hex)))].join("");
  return text.replace(ADDED, added).replace(MARKER, (_marker, hex: string) => nameIn(hex));
}

/** Returns the text that an unknown value leaves in strings and keys. */
function markerOf(what: string, end: string): string {
  return `${BEGIN}${Buffer.from(what, "utf8").toString("hex")}${end}`;
}
