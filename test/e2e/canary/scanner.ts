/** Searches for secrets in every encoding. Written independently of the engine's masking. */
import { type Canary, STRUCTURAL } from "./canaries.ts";

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Each with the forms by which the bytes of a text are recognised inside a longer text. */
export const encodings: Readonly<Record<string, (text: string) => readonly string[]>> = {
  raw: (text) => [text],
  json: (text) => [inJson(text), inJson(inJson(text))],
  base64: (text) => [0, 1, 2].map((before) => base64(text, before)),
  base64url: (text) => [0, 1, 2].map((before) => base64(text, before).replace(/\+/g, "-").replace(/\//g, "_")),
  hex: (text) => [digits(text, ""), digits(text, "").toUpperCase(), digits(text, " ")],
  percent: (text) => [encodeURIComponent(text), new URLSearchParams({ a: text }).toString().slice(2), allPercent(text)],
};

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function digits(text: string, between: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join(between);
}

function allPercent(text: string): string {
  return `%${digits(text, "%").toUpperCase()}`;
}

/** The base64 characters that hold only bits of the text, if the given number of other bytes precede it. */
function base64(text: string, before: number): string {
  const bytes = new TextEncoder().encode(text);
  let characters = "";
  for (let bit = (6 - ((8 * before) % 6)) % 6; bit + 6 <= 8 * bytes.length; bit += 6) {
    const at = bit >> 3;
    const pair = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
    characters += BASE64[(pair >> (10 - (bit & 7))) & 63];
  }
  return characters;
}

/** Shorter secrets are not masked, by contract. */
const SHORTEST = 4;
/** Random characters of ids and of encrypted data match shorter texts by chance. */
const BY_CHANCE = 8;

export type Place = "text" | "file";

interface Needle {
  readonly what: string;
  readonly form: string;
}

export class Scanner {
  /** Indexed by their first characters: there are thousands of them, and megabytes of text. */
  readonly #needles: Readonly<Record<Place, ReadonlyMap<string, readonly Needle[]>>>;

  constructor(all: readonly Canary[]) {
    const hidden = [...new Set(all.flatMap((one) => one.hidden))].filter(({ length }) => length >= SHORTEST);
    this.#needles = { text: needlesFor(hidden, "text"), file: needlesFor(hidden, "file") };
  }

  /** The secrets in a text, by their beginning and the encoding. */
  find(text: string, place: Place): readonly string[] {
    const found = new Set<string>();
    for (let at = 0; at + SHORTEST <= text.length; at++) {
      const group = this.#needles[place].get(text.slice(at, at + SHORTEST)) ?? [];
      for (const { what, form } of group) if (text.startsWith(form, at)) found.add(what);
    }
    return [...found];
  }
}

function needlesFor(hidden: readonly string[], place: Place): ReadonlyMap<string, readonly Needle[]> {
  const needles = new Map<string, Needle>();
  for (const text of hidden) {
    for (const [encoding, encode] of Object.entries(encodings)) {
      for (const form of encode(text)) {
        if (isTelling(form, place) && !needles.has(form))
          needles.set(form, { what: `${encoding} of ${JSON.stringify(text.slice(0, 40))}`, form });
      }
    }
  }
  const groups = new Map<string, Needle[]>();
  for (const needle of needles.values()) {
    const key = needle.form.slice(0, SHORTEST);
    groups.set(key, [...(groups.get(key) ?? []), needle]);
  }
  return groups;
}

/**
 * "true" is JSON, "2026" a date, "dead" a part of an id: the meaning of a match is unknown, so these are only looked
 * for in messages, see `structural`. And four characters of base64 turn up in a megabyte of encrypted data.
 */
function isTelling(form: string, place: Place): boolean {
  if (form.length < SHORTEST || STRUCTURAL.some((one) => one === form)) return false;
  if (/^[0-9a-fA-F]*$/.test(form)) return form.length >= BY_CHANCE;
  return place === "text" || form.length >= BY_CHANCE || !/^[\w+/=-]*$/.test(form);
}

/** The same for values that are only telling in a message for people. */
export function structuralIn(message: string): readonly string[] {
  return STRUCTURAL.filter((one) => message.includes(one));
}
