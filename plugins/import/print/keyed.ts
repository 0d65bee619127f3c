/** Writes a text or a number that follows from keys: from the key itself, or from a number that grows with it. Pure. */
import type { Expression } from "../program/program.js";
import { template } from "./code.js";

export type Key = string | number;

/** The variable of a loop or of a function, and its value for each of the expressions. */
export interface Keys {
  readonly name: string;
  readonly of: readonly (Key | undefined)[];
}

/** Most places of a text that keys explain. */
const MOST_PLACES = 4;

/** Fewest different keys from which a step other than 1 is no chance: two numbers always have one. */
const FEWEST_FOR_STEP = 3;

type Part = string | { readonly code: string; readonly isText?: boolean };

/** Returns code that has these values; undefined if they do not follow from the keys. */
export function keyed(values: readonly Expression[], keys: readonly Keys[]): string | undefined {
  for (const { name, of } of keys) if (values.every((value, at) => value === of[at])) return name;
  if (values.every((value) => typeof value === "string")) {
    const parts = partsOf(values, keys, MOST_PLACES);
    const [only, ...others] = parts ?? [];
    if (typeof only === "object" && only.isText && others.length === 0) return only.code;
    return parts && template(parts);
  }
  if (!values.every((value) => typeof value === "number")) return undefined;
  for (const one of keys) {
    const code = linear(values, one);
    if (code !== undefined) return code;
  }
  return undefined;
}

/** Returns the common texts, and code between them. */
function partsOf(texts: readonly string[], keys: readonly Keys[], places: number): readonly Part[] | undefined {
  const [first = ""] = texts;
  if (texts.every((text) => text === first)) return first === "" ? [] : [first];
  if (places === 0) return undefined;
  const common = commonLength(texts);
  const own = keys.flatMap(({ of: [key] }) => (key === undefined ? [] : String(key)));
  for (let at = 0; at <= common; at++) {
    if (!/\d/.test(first.charAt(at)) && !own.some((key) => first.startsWith(key, at))) continue;
    const rests = texts.map((text) => text.slice(at));
    for (const { part, lengths } of keys.flatMap((one) => placesAt(rests, one, /\d/.test(first.charAt(at - 1))))) {
      const after = partsOf(
        rests.map((rest, index) => rest.slice(lengths[index])),
        keys,
        places - 1,
      );
      if (after) return [...(at === 0 ? [] : [first.slice(0, at)]), part, ...after];
    }
  }
  return undefined;
}

function commonLength([first = "", ...others]: readonly string[]): number {
  return others.reduce((length, text) => {
    let at = 0;
    while (at < length && text[at] === first[at]) at++;
    return at;
  }, first.length);
}

interface Place {
  readonly part: Part;
  /** Characters in each of the texts. */
  readonly lengths: readonly number[];
}

/** Returns the code with which all texts may begin. A whole number comes before digits in it. */
function placesAt(texts: readonly string[], keys: Keys, isInNumber: boolean): readonly Place[] {
  const found: Place[] = [];
  const digits = isInNumber ? [] : texts.map((text) => /^\d+/.exec(text)?.[0] ?? "");
  if (digits.length > 0 && digits.every((one) => one !== "")) {
    const number = linear(digits.map(Number), keys);
    const part = number === undefined ? undefined : padded(digits, number);
    if (part) found.push({ part, lengths: digits.map((one) => one.length) });
  }
  const own = keys.of.map((key) => (key === undefined ? "" : String(key)));
  if (texts.every((text, at) => own[at] !== "" && text.startsWith(own[at] ?? "")))
    found.push({ part: { code: keys.name }, lengths: own.map((one) => one.length) });
  return found;
}

/** Returns the code of numbers that may begin with zeros. */
function padded(digits: readonly string[], code: string): Part | undefined {
  const isPadded = digits.some((one) => /^0\d/.test(one));
  const width = Math.min(...digits.map((one) => one.length));
  if (!digits.every((one) => one === String(Number(one)).padStart(isPadded ? width : 0, "0"))) return undefined;
  return isPadded ? { code: `String(${code}).padStart(${width}, "0")`, isText: true } : { code };
}

/** Returns the code of numbers that grow with the key in equal steps. */
function linear(numbers: readonly number[], { name, of }: Keys): string | undefined {
  const [start = 0, first] = [numbers[0], of[0]];
  const other = of.findIndex((key) => key !== first);
  const second = of[other];
  if (typeof first !== "number" || typeof second !== "number") return undefined;
  const step = ((numbers[other] ?? start) - start) / (second - first);
  if (!Number.isInteger(step) || step <= 0 || (step > 1 && new Set(of).size < FEWEST_FOR_STEP)) return undefined;
  const offset = start - step * first;
  const isExact = numbers.every((one, at) => {
    const key = of[at];
    return Number.isSafeInteger(one) && typeof key === "number" && one === key * step + offset;
  });
  if (!isExact) return undefined;
  const grown = step === 1 ? name : `${name} * ${step}`;
  return offset === 0 ? grown : `${grown} ${offset < 0 ? "-" : "+"} ${Math.abs(offset)}`;
}
