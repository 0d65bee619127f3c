/** Names of the resources of all stages, for the search. A stage is read again when it has changed. */
import { Limiter } from "../../../core/base/index.js";
import type { ListedResource, StageSummary } from "../../admin/index.js";
import type { FoundNames } from "../api/index.js";
import { checkAwaited, SharedReads } from "./requests.js";
import type { StageName } from "./stage-source.js";

/** Limits of the stages that are searched, and of their names that are kept. */
const MOST = { stages: 200, names: 500_000 };
const AT_ONCE = 4;
/** Milliseconds for which the list of stages is not read again: a user types several letters in this time. */
const FRESH = 5_000;

interface Names {
  readonly seq: number | undefined;
  readonly resources: readonly Pick<ListedResource, "fqn" | "kind">[];
}

interface Source {
  stages(): Promise<readonly StageSummary[]>;
  resources(name: StageName): Promise<readonly ListedResource[]>;
}

export class AllNames {
  readonly #source: Source;
  readonly #known = new Map<string, Names>();
  readonly #reads = new SharedReads<"all", number>();
  #read: { readonly at: number; readonly left: number } | undefined;

  constructor(source: Source) {
    this.#source = source;
  }

  async find(text: string, most: number): Promise<FoundNames> {
    if (!this.#read || performance.now() - this.#read.at > FRESH) {
      const left = await this.#reads.once("all", () => this.#readAll());
      this.#read = { at: performance.now(), left };
    }
    const { left } = this.#read;
    const words = text
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "");
    return { found: this.#matching(words).slice(0, most), left };
  }

  #matching(words: readonly string[]): FoundNames["found"] {
    const found: { readonly rank: number; readonly hit: FoundNames["found"][number] }[] = [];
    for (const [key, { resources }] of words.length === 0 ? [] : this.#known) {
      const [app = "", stage = ""]: readonly string[] = JSON.parse(key);
      for (const { fqn, kind } of resources) {
        const names = `${fqn} ${kind}`.toLowerCase();
        if (!words.every((word) => names.includes(word))) continue;
        found.push({ rank: rankOf(fqn.toLowerCase(), words), hit: { app, stage, fqn, kind } });
      }
    }
    return found.sort((one, other) => one.rank - other.rank).map(({ hit }) => hit);
  }

  /** Returns the number of stages that are not known. */
  async #readAll(): Promise<number> {
    const rows = (await this.#source.stages()).filter(({ isEmpty }) => !isEmpty);
    const newest = rows.toSorted((one, other) => (sinceOf(one) < sinceOf(other) ? 1 : -1));
    const wanted = newest.filter(({ problem }) => !problem).slice(0, MOST.stages);
    const keys = new Set(wanted.map(keyOf));
    for (const key of this.#known.keys()) if (!keys.has(key)) this.#known.delete(key);
    const limiter = new Limiter(AT_ONCE);
    await Promise.all(wanted.map((row) => limiter.run(() => this.#readOne(row))));
    // An abandoned request has read only some of them.
    checkAwaited();
    return rows.length - this.#known.size;
  }

  async #readOne(row: StageSummary): Promise<void> {
    const key = keyOf(row);
    const known = this.#known.get(key);
    if (known && known.seq === row.seq) return;
    this.#known.delete(key);
    let kept = 0;
    for (const { resources } of this.#known.values()) kept += resources.length;
    if (kept + (row.resources ?? 0) > MOST.names) return;
    // A stage that cannot be read, or is forged, has no names.
    const resources = await this.#source.resources(row).catch(() => undefined);
    if (resources) this.#known.set(key, { seq: row.seq, resources: resources.map(({ fqn, kind }) => ({ fqn, kind })) });
  }
}

/** Ranks a name from 0, the best: its id is a word, begins with one, contains one, or none of them. */
function rankOf(fqn: string, words: readonly string[]): number {
  const id = fqn.slice(fqn.lastIndexOf("/") + 1);
  if (words.includes(id)) return 0;
  return words.some((word) => id.startsWith(word)) ? 1 : words.some((word) => id.includes(word)) ? 2 : 3;
}

function sinceOf({ lastRun }: StageSummary): string {
  return lastRun?.since ?? "";
}

function keyOf({ app, stage }: StageName): string {
  return JSON.stringify([app, stage]);
}
