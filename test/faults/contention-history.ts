/**
 * The traces of a contention when it is over: the journal, the world's log, recovery files, and the ends of processes.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StateStore } from "../../core/contract/index.js";
import { countLines, type Entry, readRecovery, readSegment, type Segment } from "../../core/state/index.js";
import type { Line } from "../../core/state/journal/entry.js";
import type { RecoveryCipher } from "../../core/state/recovery/recovery-file.js";
import { unsealText } from "../../plugins/secrets/codec.js";
import { keys } from "../helpers/stores/journals.js";
import type { Ended, Place } from "./contention-crew.js";
import type { WorldLine } from "./contention-messages.js";
import { bareIn } from "./seals.js";

export interface History {
  /** The lines that count, in their order. */
  readonly accepted: readonly Line[];
  readonly world: readonly WorldLine[];
  /** Values without a seal in a stage that has a key. */
  readonly bare: readonly string[];
  /** Contents of recovery files, by session. */
  readonly recovered: ReadonlyMap<string, string>;
  readonly ends: readonly Ended[];
}

export async function readHistory(store: StateStore, place: Place, ends: readonly Ended[]): Promise<History> {
  const segments = await readSegments(store);
  const accepted = countLines(segments).counted.flatMap(({ lines }) => lines);
  const [world, recovered] = await Promise.all([readWorld(place.world), readRecovered(place)]);
  return { accepted, world, bare: place.key === undefined ? [] : await bareIn(store), recovered, ends };
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

/** Files with results that can no longer be applied are kept, as stale. */
async function readRecovered({ cwd, key }: Place): Promise<Map<string, string>> {
  const files = (await readdir(cwd)).filter((name) => name.startsWith("engine-recovery."));
  const vault = key === undefined ? undefined : vaultOf(key);
  const found = new Map<string, string>();
  for (const file of files) {
    const recovery = await readRecovery(join(cwd, file));
    if (recovery === undefined) throw new Error(`${file} is gone.`);
    if ("problem" in recovery) throw new Error(`${file} cannot be used: ${recovery.problem}.`);
    found.set(recovery.session, JSON.stringify(await recovery.results(vault)));
  }
  return found;
}

function vaultOf(key: string): RecoveryCipher {
  return { seal: () => undefined, unseal: (sealed, bound) => unsealText({ key }, sealed, bound) };
}

/** The entries of each session, sessions in the order in which they opened. */
export function tenures({ accepted }: History): Map<string, Entry[]> {
  const found = new Map<string, Entry[]>();
  for (const { entry } of accepted) found.set(entry.session, [...(found.get(entry.session) ?? []), entry]);
  return found;
}
