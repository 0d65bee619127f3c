/** Caches stages as they were read, until another entry is recorded. */
import type { StageAdmin, StageView, ValueLimits } from "../../admin/index.js";
import { SharedReads } from "./requests.js";
import { type Adjacency, adjacencyOf } from "./resource-rows.js";

/** The most cached views; each may be large. */
const MOST_VIEWS = 2;

/** A stage as it was read; its adjacency is computed when it is first needed. */
export interface KeptView {
  readonly view: StageView;
  adjacency(): Adjacency;
}

interface Kept {
  readonly key: string;
  readonly mark: string;
  readonly kept: KeptView;
}

export class StageViews {
  #kept: readonly Kept[] = [];
  readonly #reading = new SharedReads<string, KeptView>();

  /** Returns the present state: one small request if nothing was recorded since. Concurrent calls share one read. */
  present(admin: StageAdmin): Promise<KeptView> {
    return this.#reading.once(keyOf(admin), () => this.#present(admin));
  }

  /** Returns the state at an entry; if the view is not cached any more, from a copy. */
  async at(admin: StageAdmin, seq: number): Promise<KeptView> {
    const known = this.#kept.find(({ key, kept }) => key === keyOf(admin) && kept.view.seq === seq);
    if (known) return this.#used(known);
    const present = await this.present(admin);
    if (present.view.seq === seq) return present;
    const key = `${keyOf(admin)}@${seq}`;
    return this.#reading.once(key, async () => {
      const copy = this.#kept.find((one) => one.key === key);
      return this.#used(copy ?? { key, mark: "", kept: keptView(await admin.view(seq)) });
    });
  }

  async #present(admin: StageAdmin): Promise<KeptView> {
    const key = keyOf(admin);
    const mark = await admin.mark();
    const known = this.#kept.find((one) => one.key === key && one.mark === mark);
    // Entries that are recorded during the read are in the view, and are read again with the next mark.
    return this.#used(known ?? { key, mark, kept: keptView(await admin.view()) });
  }

  #used(kept: Kept): KeptView {
    this.#kept = [kept, ...this.#kept.filter(({ key }) => key !== kept.key)].slice(0, MOST_VIEWS);
    return kept.kept;
  }
}

function keyOf({ app, stage }: StageAdmin): string {
  return JSON.stringify([app, stage]);
}

function keptView(view: StageView): KeptView {
  let adjacency: Adjacency | undefined;
  return {
    view,
    adjacency() {
      adjacency ??= adjacencyOf(view.graph());
      return adjacency;
    },
  };
}

/** Longest text in characters. */
const LONGEST = 5000;

/** The most of a value that is shown at once; a value that was cut already has one more member, which says so. */
export const LIMITS: ValueLimits = { members: 500, size: 200_000, depth: 40 };

/**
 * Returns the value as JSON. Parts that are too long, too wide, too deep or too large are replaced by texts that begin
 * with `…`.
 */
export function bounded(value: unknown, largest = LIMITS.size): unknown {
  let left = largest;
  const textOf = (text: string): string => {
    const length = Math.min(LONGEST, Math.max(left, 0));
    left -= Math.min(text.length, length);
    return text.length <= length ? text : `${text.slice(0, length)}… (${text.length - length} more characters)`;
  };
  const show = (one: unknown, depth: number): unknown => {
    if (typeof one === "string") return textOf(one);
    if (typeof one !== "object" || one === null) return one;
    if (depth >= LIMITS.depth || left <= 0) return "…";
    const entries = Object.entries(one);
    const shown = entries.slice(0, LIMITS.members + 1).map(([name, member]) => {
      left -= 8;
      return [Array.isArray(one) ? name : textOf(name), show(member, depth + 1)] as const;
    });
    const more = entries.length - shown.length;
    if (Array.isArray(one)) return [...shown.map(([, member]) => member), ...(more > 0 ? [`… ${more} more`] : [])];
    return Object.fromEntries(more > 0 ? [...shown, ["…", `${more} more`]] : shown);
  };
  return show(value, 0);
}
