/** The rules of a schedule, checked item by item: the reference for the quick one. */
import { expect } from "vitest";
import type { Schedule, ScheduleItem } from "../../../plugins/fleet/conductor/schedule.js";

export interface Limits {
  readonly concurrency?: number;
  readonly rate?: { readonly max: number; readonly duration: number };
}

export class NaiveFleet {
  readonly running: number[] = [];
  readonly ended = new Map<number, boolean>();
  readonly #starts: { readonly key: string; readonly at: number }[] = [];
  readonly #items: readonly ScheduleItem[];
  readonly #limits: Limits;
  wave = -1;

  constructor(items: readonly ScheduleItem[], limits: Limits) {
    this.#items = items;
    this.#limits = limits;
  }

  /** True if it may begin, apart from the rate. */
  #isReady(index: number): boolean {
    const item = this.#items[index];
    if (!item || item.wave > this.wave || this.ended.has(index) || this.running.includes(index)) return false;
    const atOnce = this.running.filter((other) => this.#items[other]?.key === item.key).length;
    const isFree = atOnce < (this.#limits.concurrency ?? Number.POSITIVE_INFINITY);
    return isFree && item.after.every((other) => this.ended.get(other) === true);
  }

  /** Milliseconds until the rate allows another start. */
  #restOf(key: string | undefined, now: number): number {
    const { rate } = this.#limits;
    if (!rate) return 0;
    const times = this.#starts.filter((start) => start.key === key).map(({ at }) => at);
    const first = times.at(-rate.max);
    return first === undefined || times.length < rate.max ? 0 : Math.max(0, first + rate.duration - now);
  }

  /** Checks an answer of `take`, and of `restsFor` if there was none. */
  took(index: number | undefined, now: number, rests: number | undefined): void {
    if (index !== undefined) {
      const key = this.#items[index]?.key ?? "";
      expect(this.#isReady(index)).toBe(true);
      expect(this.#restOf(key, now)).toBe(0);
      this.running.push(index);
      this.#starts.push({ key, at: now });
      return;
    }
    const waiting = [...this.#items.keys()].filter((other) => this.#isReady(other));
    const times = waiting.map((other) => this.#restOf(this.#items[other]?.key, now));
    if (times.length === 0) return;
    expect(Math.min(...times)).toBeGreaterThan(0);
    expect(rests).toBe(Math.min(...times));
  }

  end(index: number, isOk: boolean, lost: readonly number[]): void {
    expect(this.ended.has(index)).toBe(false);
    this.running.splice(0, this.running.length, ...this.running.filter((other) => other !== index));
    this.ended.set(index, isOk);
    const doomed = this.#doomed();
    expect([...lost].sort((a, b) => a - b)).toEqual(doomed);
    for (const other of doomed) this.ended.set(other, false);
  }

  /** Items that wait, also through others, for one that did not end well. */
  #doomed(): number[] {
    const doomed = new Set<number>();
    const isBad = (other: number): boolean => this.ended.get(other) === false || doomed.has(other);
    for (let size = -1; size < doomed.size; ) {
      size = doomed.size;
      for (const [index, { after }] of this.#items.entries())
        if (!this.ended.has(index) && after.some(isBad)) doomed.add(index);
    }
    return [...doomed].sort((a, b) => a - b);
  }

  get isWaveOver(): boolean {
    return this.#items.every(({ wave }, index) => wave > this.wave || this.ended.has(index));
  }
}

/** Plays a schedule to its end, by choices that are numbers from 0 on, and compares each answer with the rules. */
export function play(
  schedule: Schedule,
  items: readonly ScheduleItem[],
  { limits, choices }: { readonly limits: Limits; readonly choices: readonly number[] },
): NaiveFleet {
  const naive = new NaiveFleet(items, limits);
  let now = 1_000;
  let turn = 0;
  const choose = (below: number): number => (choices[turn++ % choices.length] ?? 0) % below;
  while (naive.ended.size < items.length || !schedule.isLastWave) {
    if (schedule.isWaveOver && !schedule.isLastWave) {
      schedule.beginWave();
      naive.wave++;
    }
    for (let most = choose(4) + 1; most > 0; most--) {
      const index = schedule.take(now);
      naive.took(index, now, schedule.restsFor(now));
      if (index === undefined) break;
    }
    const index = naive.running[choose(naive.running.length || 1)];
    if (index === undefined) now += schedule.restsFor(now) ?? 1;
    else if (turn < 200 && choose(8) === 0) {
      schedule.giveBack(index);
      naive.running.splice(naive.running.indexOf(index), 1);
    } else {
      const isOk = choose(5) > 0;
      naive.end(index, isOk, schedule.end(index, isOk));
    }
    if (choose(3) === 0) now += choose(7);
    expect(schedule.isWaveOver).toBe(naive.isWaveOver);
    if (turn > 100_000) throw new Error("It does not come to an end.");
  }
  return naive;
}
