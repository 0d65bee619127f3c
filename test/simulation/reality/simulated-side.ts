/**
 * A scenario of the kill tests in the simulation: the same programs, the same points, and a process that dies at one of
 * them.
 */
import type { StateStore } from "../../../core/contract/index.js";
import type { Machine, StoreTraits } from "../../../plugins/testing/simulation/machine.js";
import type { SimulatedProcess } from "../../../plugins/testing/simulation/simulated-process.js";
import type { SimulatedStore } from "../../../plugins/testing/simulation/simulated-store.js";
import { Simulation } from "../../../plugins/testing/simulation/simulation.js";
import { FileWorld, type WorldOptions } from "../../faults/file-world.js";
import type { Halves } from "../../faults/places/places.js";
import { run } from "../../faults/run.js";
import type { Scenario } from "../../faults/scenarios.js";
import { look } from "../../faults/seen.js";
import { storeWithPoints } from "../../faults/store-points.js";
import type { WorldTexts } from "../../faults/world-texts.js";
import { openCopy } from "./copy.js";
import { MortalPoints, mortalStore, mortalTexts } from "./mortal.js";
import { onDisk } from "./on-disk.js";
import { type Schedule, steady } from "./schedule.js";
import type { Killed, Left, Next } from "./side.js";
import { textsInMemory } from "./texts.js";

export interface SimulatedPlace {
  readonly traits: StoreTraits;
  /** The remains of a death in the middle of a call, as the real store would leave them. */
  halves(store: SimulatedStore, process: SimulatedProcess): Halves;
  /** For tests of the comparison: replaces the store, or the world, of the killed run by a broken one. */
  readonly broken?: { store?(sound: StateStore): StateStore; world?(sound: WorldTexts): WorldTexts };
}

/** A run that is killed at one of its points. */
export interface Doomed {
  readonly schedule: Schedule;
  /** Number of the point, from 0. */
  readonly at: number;
}

export interface SimulatedSide {
  /** Names of all points of the run without a kill. */
  points(schedule: Schedule): Promise<readonly string[]>;
  /** Undefined if the run finished before. */
  killed(doomed: Doomed): Promise<Killed | undefined>;
  /** The outcome of a program that continues from the killed run's remains. */
  next(doomed: Doomed, program: string, schedule: Schedule): Promise<Next>;
}

export function simulatedSide(place: SimulatedPlace, scenario: Scenario): SimulatedSide {
  const { before, killed, failing, slow } = scenario;

  async function prepared(): Promise<Life> {
    const life = new Life(place, scenario.settings);
    for (const step of before) {
      if (typeof step === "string") await life.run({ program: step, schedule: steady() });
      else {
        life.move();
        const isLast = (point: string): boolean => point.startsWith(step.killedAt);
        await life.run({ program: step.program, schedule: steady(), isLast });
      }
    }
    life.move();
    return life;
  }

  async function dead({ schedule, at }: Doomed) {
    const life = await prepared();
    const isLast = (_: string, number: number): boolean => number === at;
    const { points } = await life.run({ program: killed, schedule, isLast, failing, slow, isBroken: true });
    return { life, point: points.last };
  }

  return {
    async points(schedule) {
      const life = await prepared();
      return (await life.run({ program: killed, schedule, failing, slow, isBroken: true })).points.names;
    },
    async killed(doomed) {
      const { life, point } = await dead(doomed);
      return point === undefined ? undefined : { point, left: await life.left() };
    },
    async next(doomed, program, schedule) {
      const { life } = await dead(doomed);
      life.move();
      const { points, errors, world } = await life.run({ program, schedule });
      return { points: points.names, errors: errors.map(String), left: await life.left(world) };
    },
  };
}

interface LifeRun extends Pick<WorldOptions, "failing" | "slow"> {
  readonly program: string;
  readonly schedule: Schedule;
  /** Decides whether it dies at a point, by its name and number. */
  readonly isLast?: (point: string, number: number) => boolean;
  /** True: uses the broken store or world, if there is one. */
  readonly isBroken?: boolean;
}

/** Processes one after the other on one machine. */
class Life {
  readonly #store: SimulatedStore;
  readonly #simulation = new Simulation("reality");
  readonly #machine: Machine = this.#simulation.machine("alpha");
  readonly #texts: WorldTexts = textsInMemory();
  readonly #place: SimulatedPlace;
  readonly #settings: Scenario["settings"];
  #started = 0;
  #moves = 0;

  constructor(place: SimulatedPlace, settings: Scenario["settings"]) {
    this.#place = place;
    this.#settings = settings;
    this.#store = this.#simulation.store(place.traits);
  }

  /** From now on the state is a copy in another place. */
  move(): void {
    this.#moves++;
  }

  async run({ program, schedule, isLast = () => false, isBroken = false, failing, slow }: LifeRun) {
    const { time } = this.#simulation;
    const broken = isBroken ? this.#place.broken : undefined;
    let made: { readonly points: MortalPoints; readonly world: FileWorld } | undefined;
    const main = async (process: SimulatedProcess): Promise<readonly unknown[]> => {
      const points = new MortalPoints(process, (point, number) => {
        time.now += schedule.busy();
        return isLast(point, number);
      });
      const patience = (): Promise<void> => this.#patience(process, points);
      const texts = mortalTexts(this.#texts, process);
      const world = new FileWorld("", {
        points,
        patience,
        texts: broken?.world?.(texts) ?? texts,
        ...(failing ? { failing } : {}),
        ...(slow ? { slow } : {}),
      });
      made = { points, world };
      this.#distract(process, schedule);
      const client = { ...this.#store.client(process, schedule.store), location: `place ${this.#moves}` };
      const sound = mortalStore(onDisk(client, process, schedule), process);
      const store = broken?.store?.(sound) ?? sound;
      const around = storeWithPoints(store, points, this.#place.halves(this.#store, process));
      const errors = await run({ folder: "/project", store: around, world, program, settings: this.#settings });
      points.reach("the end");
      return errors;
    };
    const name = `p${++this.#started}`;
    const started = this.#simulation.start(name, { machine: this.#machine }, main);
    await this.#simulation.run();
    const { outcome } = started;
    if (outcome && "error" in outcome) throw outcome.error;
    const problems = this.#simulation.problems.join("\n");
    if (!made || (made.points.last === undefined && !outcome) || problems !== "")
      throw new Error(`${name}, which runs ${program}, did not end. ${problems}`);
    return { ...made, errors: outcome?.value ?? [] };
  }

  async left(world = new FileWorld("", { texts: this.#texts })): Promise<Left> {
    const copy = await openCopy(this.#store.values);
    const seen = await look({ name: "", open: () => copy, halves: () => () => ({}), copy: async () => {} }, "", world);
    return { ...seen, keys: [...this.#store.values.keys()].sort() };
  }

  /** Delays a waiting process when the machine has something else to do. */
  #distract(process: SimulatedProcess, { lull, busy }: Pick<Schedule, "lull" | "busy">): void {
    if (!lull) return;
    const { time } = this.#simulation;
    const distract = (): void => {
      time.now += busy();
      this.#distract(process, { lull, busy });
    };
    process.wake(time.now + lull(), distract, false);
  }

  async #patience(process: SimulatedProcess, points: MortalPoints): Promise<void> {
    const isOver = (turn: number): boolean =>
      this.#settings === "beating" ? points.has("after set lease") : turn > 20;
    for (let turn = 0; !isOver(turn); turn++) await new Promise<void>((resolve) => process.after(TURN, resolve));
  }
}

/** Milliseconds of a turn of the event loop with little else to do. */
const TURN = 1;
