/** Random changes of a text that a parser of JSON and the digest could read differently: see forger.ts. */
import { digested, LINE_START } from "../../core/state/checkpoint/digested-text.js";
import { keys, linesOf } from "./forging.ts";
import type { Random } from "./random.ts";
import type { Held, Rewrite } from "./rewrites.ts";

const START = LINE_START.length + 64 + 2;
const MAC_LENGTH = ',"mac":"'.length + 64 + '"}'.length;

/** Members that are put into the text of an object as they are. */
const MEMBERS: readonly string[] = [
  '"__proto__":{"ops":[]},',
  '"ops":[{"op":"drop","uid":"x"}],',
  '"records":[],',
  '"data":[],',
  '"seq":1,',
  '"format":1,',
  `"mac":"${"0".repeat(64)}",`,
  '"vouches":"",',
  '"close":{"outcome":"done","summary":{}},',
  `"digest":"${"0".repeat(64)}",`,
  '"\\u006fps":[],',
  " \t",
  `"x":"${"y".repeat(100_000)}",`,
  '"x":1e999,',
  "\u2028",
  "}{",
];

/** Changes one text after its digest, and makes the digest fit. */
export const rewriteText: Rewrite = (held: Held, random: Random) => {
  const key = random.one([...held.keys()].filter((one) => !one.includes("/lease/")).sort());
  const isEntry = key.startsWith(keys.entries);
  const texts = isEntry ? linesOf(held.get(key)) : [held.get(key) ?? ""];
  const at = random.below(texts.length);
  const text = (texts[at] ?? "").replace(/\n$/, "");
  const members = text.slice(START);
  const end = Math.max(0, members.length - MAC_LENGTH);
  const commas = [...members.matchAll(/,(?=")/g)].map(({ index }) => index + 1).filter((index) => index <= end + 1);
  const way = random.below(5);
  let changed = members;
  if (way === 0) changed = random.one(MEMBERS) + members;
  else if (way === 1 && commas.length > 0) {
    const place = random.one(commas);
    changed = members.slice(0, place) + random.one(MEMBERS) + members.slice(place);
  } else if (way === 2) changed = `${members.slice(0, -1)},${random.one(MEMBERS).replace(/,$/, "")}}`;
  else if (way === 3) {
    const place = random.below(members.length);
    changed = members.slice(0, place) + String.fromCharCode(32 + random.below(95)) + members.slice(place + 1);
  } else {
    // The MAC in the middle, and a false one at the end.
    changed = `${members.slice(end + 1, -1)},${members.slice(0, end)}}`;
  }
  texts[at] = `${digested(`{${changed}`).text}\n`;
  held.set(key, texts.join(""));
  return `text of ${key}, ${at}, way ${way}`;
};

/** Changes bytes of a text in ways that no run would. */
export const breakText: Rewrite = (held: Held, random: Random) => {
  const key = random.one([...held.keys()].sort());
  const text = held.get(key) ?? "";
  const place = random.below(text.length + 1);
  const way = random.below(4);
  if (way === 0) held.set(key, text.slice(0, place));
  else if (way === 1) held.set(key, text.slice(0, place) + text.slice(place + 1));
  else if (way === 2) held.set(key, `${text}${text.slice(0, place)}`);
  else held.set(key, `${text.slice(0, place)}\n${text.slice(place)}`);
  return `bytes of ${key} at ${place}, way ${way}`;
};
