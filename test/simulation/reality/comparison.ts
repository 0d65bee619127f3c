/**
 * Compares real events with simulated ones. If requests overlap, or durations matter, reality differs from run to run.
 * Then it has to match one of the simulation's schedules; so many of them are tried, the steady one first.
 */
import { inTurn, kindOf, kindsOf, plain, plainNext } from "./plain.js";
import type { RealDeath } from "./real-side.js";
import { type MakeSchedule, schedules } from "./schedule.js";
import type { Doomed, SimulatedSide } from "./simulated-side.js";

export interface Compared {
  readonly simulated: SimulatedSide;
  /** Number of schedules that are tried. */
  readonly tries: number;
  /**
   * Other work goes on beside the program, at any time: a point is known by its name without a number, and only those
   * of the program are in order.
   */
  readonly isTimely: boolean;
}

/** A possible course of events. */
interface Way {
  readonly lines: readonly string[];
  readonly isSteady: boolean;
  readonly doomed?: () => Doomed;
}

export class Comparison {
  /** Real events without a counterpart in the simulation. */
  readonly differences: string[] = [];
  /** Number of sequences, deaths, and following runs that matched the steady schedule, or another one. */
  readonly agreed = { steady: 0, other: 0 };
  readonly #compared: Compared;

  constructor(compared: Compared) {
    this.#compared = compared;
  }

  /** Compares the points of a run that is not killed. */
  async points(real: readonly string[]): Promise<void> {
    const { simulated, isTimely } = this.#compared;
    const kinds = new Set<string>();
    const ways = this.#each(async function* (make) {
      const points = await simulated.points(make());
      for (const kind of kindsOf(points)) kinds.add(kind);
      yield { lines: isTimely ? inTurn(points) : points };
    });
    await this.#find("the points", isTimely ? inTurn(real) : real, ways);
    const others = [...kindsOf(real)].filter((kind) => !kinds.has(kind));
    this.differences.push(...others.map((kind) => `the points: never "${kind}"`));
  }

  /** Compares a run that was killed at a point, and the following runs. */
  async death({ point, left, next }: RealDeath, at: number): Promise<void> {
    const { simulated, isTimely } = this.#compared;
    const name = `${at}, ${point}`;
    const kind = kindOf(point);
    const named = (other: string): string => (isTimely ? kindOf(other) : other);
    const deaths = this.#each(async function* (make) {
      const points = isTimely ? await simulated.points(make()) : [];
      const places = isTimely ? [...points.keys()].filter((number) => kindOf(points[number] ?? "") === kind) : [at];
      for (const place of places) {
        const doomed = (): Doomed => ({ schedule: make(), at: place });
        const killed = await simulated.killed(doomed());
        yield { doomed, lines: killed ? [named(killed.point), ...plain(killed.left, isTimely)] : ["the end"] };
      }
    });
    const found = await this.#find(name, [named(point), ...plain(left, isTimely)], deaths);
    const { doomed } = found ?? {};
    if (!doomed) return;
    for (const [program, after] of Object.entries(next)) {
      const ways = this.#each(async function* (make) {
        yield { lines: plainNext(await simulated.next(doomed(), program, make()), isTimely) };
      });
      await this.#find(`${name}, then ${program}`, plainNext(after, isTimely), ways);
    }
  }

  /** One simulation after the other: its time and its random numbers are shared by everything in this process. */
  async *#each(ways: (make: MakeSchedule) => AsyncIterable<Omit<Way, "isSteady">>): AsyncGenerator<Way> {
    let isSteady = true;
    for (const make of schedules(this.#compared.tries)) {
      for await (const way of ways(make)) yield { ...way, isSteady };
      isSteady = false;
    }
  }

  async #find(name: string, real: readonly string[], ways: AsyncIterable<Way>): Promise<Way | undefined> {
    let nearest: { readonly number: number; readonly lines: readonly string[] } = { number: -1, lines: [] };
    for await (const way of ways) {
      const number = firstDifference(real, way.lines);
      if (number === undefined) {
        this.agreed[way.isSteady ? "steady" : "other"]++;
        return way;
      }
      if (number > nearest.number) nearest = { number, lines: way.lines };
    }
    const { number, lines } = nearest;
    this.differences.push(
      `${name}: in reality ${real[number] ?? "nothing"}, in the simulation ${lines[number] ?? "nothing"}`,
    );
    return undefined;
  }
}

function firstDifference(one: readonly string[], other: readonly string[]): number | undefined {
  for (let number = 0; number < Math.max(one.length, other.length); number++) {
    if (one[number] !== other[number]) return number;
  }
  return undefined;
}
