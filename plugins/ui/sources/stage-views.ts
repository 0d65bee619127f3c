/** Stages that are kept as they were read, as long as nothing else is recorded. */
import type { StageAdmin, StageView, ValueLimits } from "../../admin/index.js";
import { type Adjacency, adjacencyOf } from "./resource-rows.js";

/** Each may be large. */
const MOST_VIEWS = 2;

/** A stage as it was read, with what is made of that when it is first wanted. */
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
  readonly #reading = new Map<string, Promise<KeptView>>();

  /** What is recorded by now: one small request where nothing was recorded since. Who asks meanwhile gets the same. */
  present(admin: StageAdmin): Promise<KeptView> {
    return this.#once(keyOf(admin), () => this.#present(admin));
  }

  /** As it was at an entry; of one that is kept no more, what a copy has. */
  async at(admin: StageAdmin, seq: number): Promise<KeptView> {
    const known = this.#kept.find(({ key, kept }) => key === keyOf(admin) && kept.view.seq === seq);
    if (known) return this.#used(known);
    const present = await this.present(admin);
    if (present.view.seq === seq) return present;
    const key = `${keyOf(admin)}@${seq}`;
    return this.#once(key, async () => {
      const copy = this.#kept.find((one) => one.key === key);
      return this.#used(copy ?? { key, mark: "", kept: keptView(await admin.view(seq)) });
    });
  }

  async #present(admin: StageAdmin): Promise<KeptView> {
    const key = keyOf(admin);
    const mark = await admin.mark();
    const known = this.#kept.find((one) => one.key === key && one.mark === mark);
    // What is recorded while it is read is in the view, and read again with the next mark.
    return this.#used(known ?? { key, mark, kept: keptView(await admin.view()) });
  }

  #used(kept: Kept): KeptView {
    this.#kept = [kept, ...this.#kept.filter(({ key }) => key !== kept.key)].slice(0, MOST_VIEWS);
    return kept.kept;
  }

  async #once(key: string, read: () => Promise<KeptView>): Promise<KeptView> {
    const reading = this.#reading.get(key) ?? read();
    this.#reading.set(key, reading);
    try {
      return await reading;
    } finally {
      this.#reading.delete(key);
    }
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

/** Characters of a text. */
const LONGEST = 5000;

/** How much of a value is shown at once; of one that was cut already, what says so is one member more. */
export const LIMITS: ValueLimits = { members: 500, size: 200_000, depth: 40 };

/** The value as JSON; what is too long, too wide, too deep or too much is told by a text that begins with `…`. */
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
