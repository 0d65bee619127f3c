/** What is left of a contention when it is over: the journal, the world's log, recovery files, and how processes ended. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { countLines } from "../../core/state/count-lines.js";
import type { Entry, Line } from "../../core/state/entry.js";
import { readSegment, type Segment } from "../../core/state/segment.js";
import type { StateStore } from "../../core/state/store.js";
import { keys } from "../helpers/journals.js";
import type { Ended, Place } from "./contention-crew.js";
import type { WorldLine } from "./contention-messages.js";

export interface History {
  /** The lines that count, in their order. */
  readonly accepted: readonly Line[];
  readonly world: readonly WorldLine[];
  /** Texts of recovery files, by session. */
  readonly recovered: ReadonlyMap<string, string>;
  readonly ends: readonly Ended[];
}

export async function readHistory(store: StateStore, place: Place, ends: readonly Ended[]): Promise<History> {
  const segments = await readSegments(store);
  const accepted = countLines(segments).counted.flatMap(({ lines }) => lines);
  return { accepted, world: await readWorld(place.world), recovered: await readRecovered(place.cwd), ends };
}

async function readSegments(store: StateStore): Promise<Segment[]> {
  const segments: Segment[] = [];
  for (let seq = 1; ; seq++) {
    const text = await store.get(keys.entry(seq));
    if (text === undefined) return segments;
    const segment = readSegment(seq, text);
    if (!segment) throw new Error(`Entry ${seq} is damaged.`);
    segments.push(segment);
  }
}

async function readWorld(path: string): Promise<WorldLine[]> {
  const lines = (await readFile(path, "utf8")).split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as WorldLine);
}

async function readRecovered(folder: string): Promise<Map<string, string>> {
  const files = (await readdir(folder)).filter((name) => name.startsWith("engine-recovery."));
  // One that holds what could not be made up for any more is kept, as stale.
  const sessionOf = (name: string): string =>
    name
      .replace(/(\.stale)?\.json$/, "")
      .split(".")
      .at(-1) ?? "";
  const texts = files.map(async (name) => [sessionOf(name), await readFile(join(folder, name), "utf8")]);
  return new Map((await Promise.all(texts)) as [string, string][]);
}

/** The entries of each session, sessions in the order in which they opened. */
export function tenures({ accepted }: History): Map<string, Entry[]> {
  const found = new Map<string, Entry[]>();
  for (const { entry } of accepted) found.set(entry.session, [...(found.get(entry.session) ?? []), entry]);
  return found;
}
