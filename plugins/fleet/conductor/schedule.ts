/** Decides which stage of a fleet begins next: by wave, order and limits by key. Knows stages by index only. */
import { Heap } from "../../../core/base/index.js";
import type { FleetLimit } from "../contract.js";

export interface ScheduleItem {
  readonly wave: number;
  /** Key that the limits count for. */
  readonly key: string;
  /** Items that must have ended well before this one begins. */
  readonly after: readonly number[];
}

type Limits = Pick<FleetLimit<never>, "concurrency" | "rate">;

interface Lane {
  readonly waiting: Queue<number>;
  running: number;
  /** Times of the last starts, oldest first: as many as the rate allows. */
  readonly starts: number[];
  /** True while it is in the line of lanes that may begin an item. */
  isInLine: boolean;
  /** True while its rate is used up. */
  isResting: boolean;
}

/** A lane whose rate is used up, and the time at which it may begin an item again. */
interface Rest {
  readonly lane: Lane;
  readonly until: number;
}

export class Schedule {
  readonly #items: readonly ScheduleItem[];
  readonly #limits: Limits;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes that may begin an item, in turn. */
  readonly #line = new Queue<Lane>();
  readonly #resting = new Heap<Rest>((one, other) => one.until < other.until);
  /** Time at which the first lane that rests may begin an item. */
  #wakesAt = Number.POSITIVE_INFINITY;
  /** Number of items that each item still waits for. */
  readonly #open: Int32Array;
  readonly #dependents = new Map<number, number[]>();
  /** Indexes of the items of each wave. */
  readonly #waves: number[][] = [];
  readonly #left: number[] = [];
  readonly #hasEnded: Uint8Array;
  #wave = -1;

  /** @param items without cycles; an item's wave is not before the wave of an item that it waits for */
  constructor(items: readonly ScheduleItem[], waves: number, limits: Limits = {}) {
    this.#items = items;
    this.#limits = limits;
    this.#open = new Int32Array(items.length);
    this.#hasEnded = new Uint8Array(items.length);
    for (let wave = 0; wave < waves; wave++) {
      this.#waves.push([]);
      this.#left.push(0);
    }
    for (const [index, { wave, after }] of items.entries()) {
      this.#waves[wave]?.push(index);
      this.#left[wave] = (this.#left[wave] ?? 0) + 1;
      this.#open[index] = after.length;
      for (const other of after) {
        const known = this.#dependents.get(other);
        if (known) known.push(index);
        else this.#dependents.set(other, [index]);
      }
    }
  }

  /** Index of the current wave; -1 before the first. */
  get wave(): number {
    return this.#wave;
  }

  /** True if all items of the current wave, and of those before it, have ended. */
  get isWaveOver(): boolean {
    return this.#left.slice(0, this.#wave + 1).every((left) => left === 0);
  }

  get isLastWave(): boolean {
    return this.#wave >= this.#waves.length - 1;
  }

  /** Lets the items of the next wave begin. */
  beginWave(): void {
    this.#wave++;
    const indexes = this.#waves[this.#wave] ?? [];
    for (const index of indexes) if (this.#open[index] === 0 && !this.#hasEnded[index]) this.#queue(index);
  }

  /** Returns the next item that may begin, or undefined. @param now in milliseconds */
  take(now: number): number | undefined {
    if (now >= this.#wakesAt) this.#wake(now);
    for (let lane = this.#line.shift(); lane; lane = this.#line.shift()) {
      lane.isInLine = false;
      if (lane.waiting.isEmpty || lane.running >= (this.#limits.concurrency ?? Number.POSITIVE_INFINITY)) continue;
      const until = this.#restsUntil(lane);
      if (until > now) {
        lane.isResting = true;
        this.#resting.push({ lane, until });
        this.#wakesAt = Math.min(this.#wakesAt, until);
        continue;
      }
      const index = lane.waiting.shift();
      lane.running++;
      const { rate } = this.#limits;
      if (rate) {
        lane.starts.push(now);
        if (lane.starts.length > rate.max) lane.starts.shift();
      }
      this.#enter(lane);
      return index;
    }
    return undefined;
  }

  /** Milliseconds until a lane whose rate was used up may begin an item; undefined if there is none. */
  restsFor(now: number): number | undefined {
    return this.#wakesAt === Number.POSITIVE_INFINITY ? undefined : Math.max(0, this.#wakesAt - now);
  }

  /** Puts an item that was taken back: it has not ended. */
  giveBack(index: number): void {
    const lane = this.#laneOf(index);
    lane.running--;
    lane.waiting.push(index);
    this.#enter(lane);
  }

  /** Marks an item as ended without having been taken. Returns as {@link end}. */
  skip(index: number, isOk: boolean): readonly number[] {
    return this.#ended(index, isOk);
  }

  /**
   * Ends an item that was taken. Returns the items that now cannot begin, because they wait for one that did not end
   * well; they count as ended.
   */
  end(index: number, isOk: boolean): readonly number[] {
    const lane = this.#laneOf(index);
    lane.running--;
    this.#enter(lane);
    return this.#ended(index, isOk);
  }

  #ended(index: number, isOk: boolean): readonly number[] {
    const lost: number[] = [];
    this.#close(index);
    const queue = [index];
    for (const at of queue) {
      const isGood = at === index && isOk;
      for (const dependent of this.#dependents.get(at) ?? []) {
        if (this.#hasEnded[dependent]) continue;
        if (!isGood) {
          this.#close(dependent);
          lost.push(dependent);
          queue.push(dependent);
          continue;
        }
        const open = (this.#open[dependent] ?? 0) - 1;
        this.#open[dependent] = open;
        if (open === 0 && (this.#items[dependent]?.wave ?? 0) <= this.#wave) this.#queue(dependent);
      }
    }
    return lost;
  }

  #close(index: number): void {
    if (this.#hasEnded[index]) return;
    this.#hasEnded[index] = 1;
    const wave = this.#items[index]?.wave ?? 0;
    this.#left[wave] = (this.#left[wave] ?? 0) - 1;
  }

  #queue(index: number): void {
    const lane = this.#laneOf(index);
    lane.waiting.push(index);
    this.#enter(lane);
  }

  #laneOf(index: number): Lane {
    const key = this.#items[index]?.key ?? "";
    let lane = this.#lanes.get(key);
    if (!lane) {
      lane = { waiting: new Queue(), running: 0, starts: [], isInLine: false, isResting: false };
      this.#lanes.set(key, lane);
    }
    return lane;
  }

  #enter(lane: Lane): void {
    if (lane.isInLine || lane.isResting || lane.waiting.isEmpty) return;
    lane.isInLine = true;
    this.#line.push(lane);
  }

  #wake(now: number): void {
    let first = this.#resting.pop();
    for (; first && first.until <= now; first = this.#resting.pop()) {
      first.lane.isResting = false;
      this.#enter(first.lane);
    }
    if (first) this.#resting.push(first);
    this.#wakesAt = first?.until ?? Number.POSITIVE_INFINITY;
  }

  /** Time from which the rate of a lane allows another start. */
  #restsUntil({ starts }: Lane): number {
    const { rate } = this.#limits;
    const first = starts[0];
    if (!rate || first === undefined || starts.length < rate.max) return Number.NEGATIVE_INFINITY;
    return first + rate.duration;
  }
}

/** A first-in, first-out list whose `shift` does not move the rest. */
class Queue<T> {
  #items: T[] = [];
  #head = 0;

  get isEmpty(): boolean {
    return this.#head === this.#items.length;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.isEmpty) return undefined;
    const item = this.#items[this.#head++];
    if (this.#head > 1_000 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
