/** One scenario on one kind of store: its kills, and the recovery from each. */
import { rm } from "node:fs/promises";
import { isLong, sampled } from "../helpers/checks/sampling.js";
import { contentAfter, copyOf, damageIn, flawsOf, inCopy, newFolder } from "./aftermath.js";
import { doom, pointsOf } from "./doomed.js";
import { FileWorld } from "./file-world.js";
import type { Order } from "./order.js";
import type { Places } from "./places/places.js";
import { run } from "./run.js";
import type { Scenario } from "./scenarios.js";

export class Matrix {
  readonly flaws: string[] = [];
  /** Names of the points at which runs were killed. */
  readonly kills: string[] = [];
  readonly #places: Places;
  readonly #scenario: Scenario;

  constructor(places: Places, scenario: Scenario) {
    this.#places = places;
    this.#scenario = scenario;
  }

  /**
   * Kills the run at each of its points, or at so many of them, of which the last is one. A run that finishes before
   * its point is killed half-way instead.
   *
   * @returns how many points there are
   */
  async killOnce(count: number): Promise<number> {
    const { killed } = this.#scenario;
    const start = await this.#prepare();
    const points = await this.#pointsAfter(start, killed);
    const last = points.length - 1;
    const some = count > 1 ? [...sampled([...points.keys()].slice(0, last), count - 1, this.#seed), last] : undefined;
    const isKilled = (at: number): Promise<boolean> =>
      this.#inCopy(start, async (folder) => {
        const point = await this.#dies(folder, killed, at);
        if (point !== undefined) await this.#recovers(folder, [point]);
        return point !== undefined;
      });
    await twoAtOnce(some ?? sampled([...points.keys()], 1, this.#seed), async (at) => {
      if (!(await isKilled(at))) await isKilled(Math.floor(at / 2));
    });
    await rm(start, { recursive: true });
    return points.length;
  }

  /**
   * Kills the run at so many points, and the recovering run at so many points of its own. A run that finishes before
   * its point is replaced by another.
   */
  async killTwice(first: number, second: number): Promise<void> {
    const { killed, next } = this.#scenario;
    const start = await this.#prepare();
    const points = await this.#pointsAfter(start, killed);
    let died = 0;
    for (const at of sampled([...points.keys()], 3 * first, `first ${this.#seed}`)) {
      if (died === first && !isLong) break;
      await this.#inCopy(start, async (left) => {
        const point = await this.#dies(left, killed, at);
        if (point !== undefined) died++;
        const program = next[this.kills.length % next.length] ?? "nothing";
        const others = point === undefined ? [] : await this.#pointsAfter(left, program);
        await twoAtOnce(sampled([...others.keys()], second, `second ${this.#seed} ${at}`), (then) =>
          this.#inCopy(left, async (folder) => {
            const again = await this.#dies(folder, program, then, [`${point}`, program]);
            if (again !== undefined) await this.#recovers(folder, [`${point}`, program, again], true);
          }),
        );
      });
    }
    await rm(start, { recursive: true });
  }

  /** A folder as the earlier programs leave it. */
  async #prepare(): Promise<string> {
    let folder = await newFolder();
    for (const step of this.#scenario.before) {
      if (typeof step === "string") await this.#complete(folder, step);
      else {
        // In a copy, because the points were counted in one: at another place the engine probes its store again.
        const points = await this.#pointsAfter(folder, step.program);
        const at = points.findIndex((point) => point.startsWith(step.killedAt));
        if (at < 0) throw new Error(`There is no point "${step.killedAt}".`);
        const copy = await copyOf(this.#places, folder);
        const point = await this.#doom(copy, { ...this.#order(step.program), doom: { at, ending: "killed" } });
        if (!point?.startsWith(step.killedAt)) throw new Error(`Killed at "${point}" instead of "${step.killedAt}".`);
        await rm(folder, { recursive: true });
        folder = copy;
      }
    }
    return folder;
  }

  #pointsAfter(start: string, program: string): Promise<string[]> {
    return this.#inCopy(start, (folder) => pointsOf({ ...this.#here(folder), order: this.#order(program) }));
  }

  /** Kills a run, and checks the remains. Undefined if it finished before. */
  async #dies(
    folder: string,
    program: string,
    at: number,
    history: readonly string[] = [],
  ): Promise<string | undefined> {
    const point = await this.#doom(folder, { ...this.#order(program), doom: { at, ending: "killed" } });
    if (point === undefined) return undefined;
    this.kills.push(point);
    this.#tell([...history, point], await damageIn(this.#places, folder, program, this.#scenario.isSealed));
    return point;
  }

  /** Every program that may come next leaves the same contents as without the kill. */
  async #recovers(left: string, history: readonly string[], isBrief = !isLong): Promise<void> {
    const { killed, next, settings, isSealed, failing } = this.#scenario;
    // Always the first, which is the usual one; and one of the others in turn.
    const other = this.kills.length % Math.max(next.length - 1, 1);
    for (const program of next.filter((_, index) => !isBrief || index === 0 || index === other + 1)) {
      const expected = await contentAfter(this.#places, program);
      // A run that is killed after finalize() has resolved leaves no work.
      const isOver = history.at(-1) === "the end" && program === (history.at(-2) ?? killed) && !failing;
      const recover = (folder: string) =>
        flawsOf({ places: this.#places, folder, program, settings, isSealed, expected, isOver });
      this.#tell([...history, program], await this.#inCopy(left, recover));
    }
  }

  #tell(history: readonly string[], flaws: readonly string[]): void {
    this.flaws.push(...flaws.map((flaw) => `${history.join(", then ")}: ${flaw}`));
  }

  async #complete(folder: string, program: string): Promise<void> {
    const store = this.#places.open(folder);
    const { settings, isSealed } = this.#scenario;
    const [error] = await run({ folder, store, world: new FileWorld(folder), program, settings, isSealed });
    await store.close?.();
    if (error) throw error;
  }

  async #doom(folder: string, order: Order): Promise<string | undefined> {
    const { point, signal, code, stderr } = await doom({ ...this.#here(folder), order });
    if (signal === "SIGKILL") return point;
    // A run passes fewer points if two calls happen at once instead of one after the other.
    if (code === 0) return undefined;
    throw new Error(`A run to be killed ended with ${code ?? signal}: ${stderr}`);
  }

  #order(program: string): Order {
    const { settings, isSealed, failing, slow } = this.#scenario;
    return { program, settings, isSealed, failing, slow };
  }

  #inCopy<T>(folder: string, act: (copy: string) => Promise<T>): Promise<T> {
    return inCopy(this.#places, folder, act);
  }

  #here(folder: string) {
    return { folder, places: this.#places.name };
  }

  get #seed(): string {
    return `${this.#scenario.title} on ${this.#places.name}`;
  }
}

/** As many at once as the smallest machine has processors. */
export async function twoAtOnce<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const rest = [...items];
  const work = async (): Promise<void> => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) await act(next);
  };
  await Promise.all([work(), work()]);
}
