/**
 * The remains of a run, in lines that two runs of one program have in common: without random values, and without the
 * time of day.
 */
import type { Thing } from "../../faults/file-world.js";
import type { Left, Next } from "./side.js";

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** The part of a physical name that distinguishes it from that of the replaced copy. */
const SUFFIX = /(?<="physicalName":"[^"]*-)[0-9a-f]{8}(?=-dev")/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const CIPHERTEXT = /"\$secret":\[[^\]]*\]/g;

/**
 * Random names are numbered in the order in which they appear, first of all in the log, which is in the order of time.
 *
 * @param isTimely timing decides which changes share an entry, and when a checkpoint is made: their numbers are left
 * out
 */
export function plain(left: Left, isTimely: boolean): string[] {
  const { calls, warnings, records, things, data, keys, isOpen, damage } = left;
  const names = new Map<string, string>();
  const numbered = (name: string): string => {
    const number = names.get(name) ?? `#${names.size + 1}`;
    names.set(name, number);
    return number;
  };
  const named = (text: string): string =>
    text.replace(CIPHERTEXT, '"$secret"').replace(TIME, "TIME").replace(UUID, numbered).replace(SUFFIX, numbered);
  const line = (kind: string, value: unknown): string => named(`${kind} ${JSON.stringify(value)}`);
  // The resources come last: of two that one declaration has made, the records know one.
  return [
    ...calls.map(({ pid: _, ...call }) => line("call", call)),
    ...warnings.map((warning) => line("warning", warning)),
    ...records.map((record) => line("record", record)),
    ...Object.entries(data).map(([name, value]) => line("data", [name, value])),
    ...(isTimely ? [...kindsOf(keys)] : keys).map((key) => line("key", key)).sort(),
    line("open", isOpen),
    ...(damage === undefined ? [] : [line("damage", damage)]),
    ...inOrder(things, names).map((thing) => line("thing", thing)),
  ];
}

/** In the order of the known facts; resources without known facts are interchangeable. */
function inOrder(things: readonly Thing[], names: ReadonlyMap<string, string>): readonly Thing[] {
  const rank = (thing: Thing): string =>
    JSON.stringify(thing).replace(UUID, (name) => names.get(name)?.padStart(6) ?? "new");
  return things
    .map((thing) => ({ thing, rank: rank(thing) }))
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
    .map(({ thing }) => thing);
}

/**
 * The same for a run to its end, with its points and its errors.
 *
 * @param isTimely only the points of handlers, and as {@link plain}
 */
export function plainNext({ points, errors, left }: Next, isTimely: boolean): string[] {
  const shown = isTimely ? inTurn(points) : points;
  return [
    ...shown.map((point) => `point ${point}`),
    ...errors.map((error) => `error ${error}`),
    ...plain(left, isTimely),
  ];
}

/** Points that come in the order of the program: those of handlers. */
export function inTurn(points: readonly string[]): readonly string[] {
  return points.filter((point) => /(begins|took effect|has replied|the end)$/.test(point));
}

/** Names of points, or keys, without numbers. */
export function kindsOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map(kindOf));
}

export function kindOf(name: string): string {
  return name.replace(/\/\d+$| and \d+ more$|\/\d+(?= and \d+ more$)/g, "");
}
