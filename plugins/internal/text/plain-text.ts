/**
 * Neutralises foreign texts for display: they cannot control a terminal, hide content, or reverse the direction of
 * text.
 */
import { stripVTControlCharacters } from "node:util";
import { unicodePattern } from "../../../core/base/index.js";
import type { EventSource } from "../../../core/contract/index.js";

/** Tested first: it is ten times as fast as the other patterns, and nearly all texts match it. */
const ONE_LINE = /^[\x20-\x7e]*$/;

const SUSPICIOUS = unicodePattern(String.raw`[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}]`);

/** Control characters except line breaks and tabs. */
const CONTROLS = unicodePattern(String.raw`[^\P{Cc}\n\t]`, "gu");

/** Invisible characters and Unicode line separators, except the joiners within an emoji. */
const UNSEEN = unicodePattern(
  String.raw`(?!(?<=\p{Extended_Pictographic}|\u{FE0F})\u{200D}\p{Extended_Pictographic})[\p{Cf}\p{Zl}\p{Zp}]`,
  "gu",
);

/**
 * Removes terminal control sequences; line breaks and tabs stay. Spells out invisible characters, so that no two names
 * look alike. Idempotent.
 */
export function plainText(text: string): string {
  if (ONE_LINE.test(text) || !SUSPICIOUS().test(text)) return text;
  const plain = stripVTControlCharacters(text.replace(/\r\n?/g, "\n"));
  return plain.replace(CONTROLS(), "").replace(UNSEEN(), spelled);
}

/** Like {@link plainText}, in one line. */
export function plainLine(text: string): string {
  return plainText(text).replaceAll(/\s*\n\s*|\t/g, " ");
}

/** Members of events and plans that are names: a name of several lines would look like several names. */
const NAMES: ReadonlySet<string> = new Set(["app", "stage", "fqn", "id", "kind", "action", "owner"]);

/**
 * Applies {@link plainText} to each text in some data, including the names of members. Returns the same object if
 * nothing changes.
 */
export function plainData<T>(data: T): T {
  return isPlain(data) ? data : copyOf(data);
}

/** Nearly all data is plain, and there are many events. */
function isPlain(data: unknown, isName = false): boolean {
  if (typeof data === "string")
    return ONE_LINE.test(data) || (isName ? plainLine(data) === data : !SUSPICIOUS().test(data));
  if (typeof data !== "object" || data === null) return true;
  if (Array.isArray(data)) return data.every((item: unknown) => isPlain(item));
  for (const name of Object.keys(data)) {
    if ((!ONE_LINE.test(name) && SUSPICIOUS().test(name)) || !isPlain(Reflect.get(data, name), NAMES.has(name)))
      return false;
  }
  return true;
}

function copyOf<T>(data: T): T;

function copyOf(data: unknown): unknown {
  if (typeof data === "string") return plainText(data);
  if (Array.isArray(data)) return data.map((item: unknown) => copyOf(item));
  if (typeof data !== "object" || data === null) return data;
  const members = Object.entries(data).map(([name, value]: [string, unknown]) => [
    plainText(name),
    typeof value === "string" && NAMES.has(name) ? plainLine(value) : copyOf(value),
  ]);
  return Object.fromEntries(members);
}

/** Wraps events for observers that show them to people. */
export function plainEvents(events: EventSource): EventSource {
  type Observer = (...args: never[]) => void;
  const plain = new Map<Observer, Observer>();
  const plainly = (observer: Observer): Observer => {
    // An observer of all events gets the name as its first argument.
    const known = plain.get(observer) ?? ((...args: never[]) => observer(...args.map(plainData)));
    plain.set(observer, known);
    return known;
  };
  return {
    on: (name: never, observer: Observer) => events.on(name, plainly(observer)),
    off: (name: never, observer: Observer) => events.off(name, plainly(observer)),
  };
}

/** Returns JSON with the same meaning that {@link plainText} does not change. */
export function plainJson(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, undefined, indent);
  return SUSPICIOUS().test(json) ? json.replace(CONTROLS(), escaped).replace(UNSEEN(), escaped) : json;
}

function spelled(found: string): string {
  return `\\u{${found.codePointAt(0)?.toString(16)}}`;
}

function escaped(found: string): string {
  const units = Array.from({ length: found.length }, (_, at) => found.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
