/** Random changes of a store's contents: see forger.ts. */
import { bodyOf, type Json, keys, linesOf, textOf } from "./forging.ts";
import type { Random } from "./random.ts";

export type Held = Map<string, string>;

/** The attacker's material: all earlier contents of the store, and a twin of it. */
export interface Spoils {
  readonly older: readonly ReadonlyMap<string, string>[];
  readonly twin: readonly ReadonlyMap<string, string>[];
}

/** Changes the held values in one way, and returns a description. */
export type Rewrite = (held: Held, random: Random, spoils: Spoils) => string;

const isOf = (room: string) => (key: string) => key.startsWith(room);
const entriesIn = (held: Held): string[] => [...held.keys()].filter(isOf(keys.entries)).sort();
const copiesIn = (held: Held): string[] =>
  [...held.keys()].filter((key) => !key.startsWith(keys.entries) && !key.includes("/lease/")).sort();

/** A line, or a whole checkpoint, changed as a body; the digest fits, the MAC is as it was. */
function changeBody(held: Held, random: Random, change: (body: Json) => string): string {
  const isLine = random.chance(0.6) && entriesIn(held).length > 0;
  const names = isLine ? entriesIn(held) : copiesIn(held);
  if (names.length === 0) return "nothing to change";
  const key = random.one(names);
  const lines = isLine ? linesOf(held.get(key)) : [held.get(key) ?? ""];
  const at = random.below(lines.length);
  const body = bodyOf(lines[at] ?? "{}");
  const how = change(body);
  lines[at] = textOf(body);
  held.set(key, lines.join(""));
  return `${how} in ${key}, ${at}`;
}

type Spot = { readonly parent: Json; readonly name: string | number };

/** Every member and element in a body. */
function spotsIn(value: Json, found: Spot[] = []): Spot[] {
  if (typeof value !== "object" || value === null) return found;
  for (const name of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    found.push({ parent: value, name });
    spotsIn(value[name], found);
  }
  return found;
}

const VALUES: readonly Json[] = [
  null,
  0,
  -1,
  1e21,
  "",
  "x",
  "ready",
  "deleting",
  "os:Command",
  "$secrets",
  "/",
  "__proto__",
  "\u202e\ud83d\udca9",
  "../..",
  true,
  [],
  {},
  { $undefined: true },
  [null],
  { op: "drop", uid: "x" },
];

function alter(body: Json, random: Random): string {
  const { parent, name } = random.one(spotsIn(body));
  const before = parent[name];
  if (typeof before === "number" && random.chance(0.5)) parent[name] = before + (random.chance(0.5) ? 1 : -1);
  else parent[name] = structuredClone(random.one(VALUES));
  return `${name} altered`;
}

function remove(body: Json, random: Random): string {
  const { parent, name } = random.one(spotsIn(body));
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else delete parent[name];
  return `${name} removed`;
}

function exchange(body: Json, random: Random): string {
  const spots = spotsIn(body);
  const [one, other] = [random.one(spots), random.one(spots)];
  const value = structuredClone(one.parent[one.name]);
  one.parent[one.name] = structuredClone(other.parent[other.name]);
  if (random.chance(0.5)) other.parent[other.name] = value;
  return `${one.name} by ${other.name}`;
}

function duplicate(body: Json, random: Random): string {
  const lists = spotsIn(body).filter(({ parent }) => Array.isArray(parent));
  if (lists.length === 0) return alter(body, random);
  const { parent, name } = random.one(lists);
  parent.splice(random.below(parent.length + 1), 0, structuredClone(parent[name]));
  return "an element twice";
}

function addMember(body: Json, random: Random): string {
  const objects = spotsIn(body).flatMap(({ parent }) => (Array.isArray(parent) ? [] : [parent]));
  const names = ["ops", "close", "open", "settled", "vouches", "grows", "replaced", "protect", "parent", "data", "mac"];
  const name = random.one(names);
  Object.assign(random.one(objects.length > 0 ? objects : [body]), { [name]: structuredClone(random.one(VALUES)) });
  return `${name} added`;
}

function addRecord(body: Json, random: Random): string {
  const records = [...(body.records ?? []), ...(body.ops ?? []).flatMap(({ record }: Json) => record ?? [])];
  const record = {
    ...(records.length > 0 ? random.one(records) : {}),
    uid: `u${random.below(9)}`,
    key: `k${random.below(9)}`,
  };
  if (body.records) body.records.push(record);
  else body.ops = [...(body.ops ?? []), { op: "put", record }];
  return "a record added";
}

function changeMac(body: Json, random: Random): string {
  const way = random.below(5);
  if (way === 0) body.mac = undefined;
  else if (way === 1) body.mac = "0".repeat(64);
  else if (way === 2) body.mac = String(body.mac).slice(0, random.below(64));
  else if (way === 3) body.mac = String(body.mac).toUpperCase();
  else body.mac = `${body.mac}00`;
  return "another MAC";
}

const inBody =
  (change: (body: Json, random: Random) => string): Rewrite =>
  (held, random) =>
    changeBody(held, random, (body) => change(body, random));

/** Lines of the journal in another order, twice, or not at all. */
const shuffle: Rewrite = (held, random) => {
  const names = entriesIn(held);
  if (names.length === 0) return "no lines";
  const [from, to] = [random.one(names), random.one(names)];
  const lines = linesOf(held.get(from));
  const at = random.below(lines.length);
  const line = lines[at] ?? "";
  const way = random.one(["drop", "copy", "move", "swap"] as const);
  if (way !== "copy") lines.splice(at, 1);
  held.set(from, lines.join(""));
  if (way === "drop") return `line ${at} of ${from} dropped`;
  const others = linesOf(held.get(to));
  const place = random.below(others.length + 1);
  const [other] = others.splice(place, way === "swap" ? 1 : 0, seqed(line, to));
  held.set(to, others.join(""));
  if (way === "swap" && other !== undefined)
    held.set(from, linesOf(held.get(from)).toSpliced(at, 0, seqed(other, from)).join(""));
  return `${way}: line ${at} of ${from}, to ${to}, ${place}`;
};

/** Gives a line the number of another entry. */
function seqed(line: string, key: string): string {
  if (line === "") return "";
  return textOf({ ...bodyOf(line), seq: Number(key.slice(-12)) });
}

const tail: Rewrite = (held, random) => {
  const names = entriesIn(held);
  const key = random.one(names);
  const lines = linesOf(held.get(key));
  const left = random.below(lines.length + 1);
  if (left === 0) held.delete(key);
  else held.set(key, lines.slice(0, left).join(""));
  if (random.chance(0.5)) for (const other of names) if (other > key) held.delete(other);
  for (const other of copiesIn(held))
    if (random.chance(0.7) && Number(other.slice(-12)) >= Number(key.slice(-12))) held.delete(other);
  return `the end of ${key} from line ${left} on cut off`;
};

const dropKeys: Rewrite = (held, random) => {
  const room = random.one([keys.checkpoints, keys.entries, keys.root]);
  const names = [...held.keys()].filter(isOf(room)).sort();
  const some = names.filter(() => random.chance(0.3));
  for (const key of some) held.delete(key);
  return `gone: ${some.join(", ")}`;
};

const swapKeys: Rewrite = (held, random) => {
  const names = [...held.keys()].sort();
  if (names.length === 0) return "nothing";
  const [one, other] = [random.one(names), random.one(names)];
  const value = held.get(one) ?? "";
  held.set(one, held.get(other) ?? "");
  if (random.chance(0.5)) held.set(other, value);
  return `${other} in place of ${one}`;
};

/** Moves a value to the number of another one, or to a free one. */
const renumber: Rewrite = (held, random) => {
  const key = random.one([...held.keys()].sort());
  const next = random.chance(0.3) ? 999_999_999_999 : Math.max(1, Number(key.slice(-12)) + random.below(7) - 3);
  const room = random.one([keys.checkpoint, keys.history, keys.entry]);
  const text = held.get(key) ?? "";
  if (random.chance(0.5)) held.delete(key);
  const says = random.chance(0.5) && text.includes('"lines":');
  held.set(room(next), says ? textOf({ ...bodyOf(text), seq: next }) : text);
  return `${key} as ${room(next)}`;
};

/** Takes a value from another time, or from a twin. */
const splice: Rewrite = (held, random, { older, twin }) => {
  const isTwin = random.chance(0.3);
  const other = random.one(isTwin ? twin : older);
  const names = [...other.keys()].sort();
  const some = random.chance(0.3) ? names : [random.one(names)];
  for (const key of some) {
    const text = other.get(key) ?? "";
    if (key.startsWith(keys.entries) && random.chance(0.5)) {
      const lines = linesOf(held.get(key));
      const theirs = linesOf(text);
      lines.splice(random.below(lines.length + 1), random.below(2), random.one(theirs));
      held.set(key, lines.join(""));
    } else held.set(key, text);
  }
  return `${isTwin ? "of the twin" : "of another time"}: ${some.length === 1 ? some[0] : "all"}`;
};

/** Changes of a line's or a text's body. */
export const BODY_REWRITES: readonly Rewrite[] = [
  inBody(alter),
  inBody(alter),
  inBody(remove),
  inBody(exchange),
  inBody(duplicate),
  inBody(addMember),
  inBody(addRecord),
  inBody(changeMac),
];

export const REWRITES: readonly Rewrite[] = [
  ...BODY_REWRITES,
  shuffle,
  shuffle,
  tail,
  tail,
  tail,
  dropKeys,
  swapKeys,
  renumber,
  splice,
  splice,
];
