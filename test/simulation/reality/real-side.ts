/** A scenario of the kill tests in reality: in a process that is killed with SIGKILL. */
import { cpSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { inCopy, newFolder } from "../../faults/aftermath.js";
import { doom, pointsOf } from "../../faults/doomed.js";
import { FileWorld } from "../../faults/file-world.js";
import type { Places } from "../../faults/places/places.js";
import { Points } from "../../faults/points.js";
import { run } from "../../faults/run.js";
import type { Scenario } from "../../faults/scenarios.js";
import { look } from "../../faults/seen.js";
import { storeWithPoints } from "../../faults/store-points.js";
import type { Killed, Left, Next } from "./side.js";

export interface RealSide {
  /** Names of all points of the run without a kill. */
  points(): Promise<readonly string[]>;
  /**
   * @param at number of the point, from 0
   * @param next programs that come next, each from the same remains
   * @returns undefined if the run finished before
   */
  killed(at: number, next: readonly string[]): Promise<RealDeath | undefined>;
  /** Removes its folder. */
  end(): Promise<void>;
}

export interface RealDeath extends Killed {
  /** By the names of their programs. */
  readonly next: Readonly<Record<string, Next>>;
}

export async function realSide(places: Places, scenario: Scenario): Promise<RealSide> {
  const { before, killed, settings, failing, slow } = scenario;
  const here = (folder: string) => ({ folder, places: places.name });
  const isHere = <T>(folder: string, act: (copy: string) => Promise<T>): Promise<T> => inCopy(places, folder, act);

  let start = await newFolder();
  for (const step of before) {
    if (typeof step === "string") await complete(start, step);
    else start = await killedIn(start, step.program, step.killedAt);
  }

  /** A run in a copy of the state probes its store again, so its points are those of another copy. */
  async function killedIn(folder: string, program: string, name: string): Promise<string> {
    const points = await isHere(folder, (copy) => pointsOf({ ...here(copy), order: { program } }));
    const at = points.findIndex((point) => point.startsWith(name));
    const copy = await copyOf(places, folder);
    await rm(folder, { recursive: true });
    const { point } = await doom({ ...here(copy), order: { program, doom: { at, ending: "killed" } } });
    if (!point?.startsWith(name)) throw new Error(`${program} died at "${point}", not at "${name}".`);
    return copy;
  }

  async function complete(folder: string, program: string): Promise<Next> {
    const points = new Points();
    const world = new FileWorld(folder, { points });
    const store = places.open(folder);
    const errors = await run({
      folder,
      store: storeWithPoints(store, points, places.halves(folder)),
      world,
      program,
      settings,
    });
    points.reach("the end");
    await store.close?.();
    return { points: points.names, errors: errors.map(String), left: await leftIn(folder, world) };
  }

  async function leftIn(folder: string, world?: FileWorld): Promise<Left> {
    const store = places.open(folder);
    const keys: string[] = [];
    for await (const key of store.list("")) keys.push(key);
    await store.close?.();
    return { ...(await look(places, folder, world)), keys: keys.sort() };
  }

  const order = { program: killed, settings, failing, slow };

  return {
    points: () => isHere(start, (folder) => pointsOf({ ...here(folder), order })),
    killed: (at, next) =>
      isHere(start, async (folder) => {
        const death = await doom({ ...here(folder), order: { ...order, doom: { at, ending: "killed" } } });
        const { point, signal, code, stderr } = death;
        if (signal !== "SIGKILL" || point === undefined) {
          if (code === 0) return undefined;
          throw new Error(`A run to be killed ended with ${code ?? signal}: ${stderr}`);
        }
        const left = await leftIn(folder);
        const after: Record<string, Next> = {};
        for (const program of next) after[program] = await isHere(folder, (copy) => complete(copy, program));
        return { point, left, next: after };
      }),
    end: () => rm(start, { recursive: true }),
  };
}

async function copyOf(places: Places, folder: string): Promise<string> {
  const copy = await newFolder();
  await mkdir(join(folder, "world"), { recursive: true });
  cpSync(join(folder, "world"), join(copy, "world"), { recursive: true });
  await places.copy(folder, copy);
  return copy;
}
