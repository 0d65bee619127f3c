/** Programs that use the fixture's provider in every way. Each object has the name of its resource, and a number. */

import type { World } from "../fixture/world.ts";
import type { Fixture } from "../lifecycle/fixture-stage.ts";

/** Returns a configuration of the provider. */
export type Configure = () => Fixture;

export interface Scenario {
  readonly title: string;
  /** Program that ran to its end before. */
  readonly before?: ProgramName;
  /** Changes of the world after that. */
  readonly meanwhile?: (world: World) => void;
  /** The resource whose object these changes removed. */
  readonly gone?: string;
  /** Program that is killed, and then runs again. */
  readonly program: ProgramName;
  readonly refresh?: boolean;
  /** Interrupts the run once the provider is asked to create this type. */
  readonly stoppedAt?: string;
  /** Names of the objects that must exist in the end. */
  readonly expected: readonly string[];
}

export type ProgramName = "older" | "first" | "changes" | "slow" | "destroyed";

/** Id of an object that exists from the beginning and belongs to no program. */
export const FOUND = "found";

/** Declares one after the other; a failure does not stop the next ones. */
async function each(...declared: readonly (() => PromiseLike<unknown>)[]): Promise<void> {
  for (const declare of declared) await Promise.allSettled([declare()]);
}

export const programs: Readonly<Record<ProgramName, (configure: Configure) => unknown>> = {
  /** With an older version of the provider, in which this type's name is called title. */
  older: (configure) => first(configure, { title: "versioned/1" }),
  first: (configure) => first(configure, { name: "versioned/1" }),
  changes(configure) {
    const { thing, movedThing, versioned, private: bytes } = configure();
    return each(
      () => thing!("updated", { name: "updated/2", region: "north" }),
      () => thing!("replaced", { name: "replaced/2", region: "south" }),
      () => thing!("swapped", { name: "swapped/2", region: "south" }, { createBeforeDestroy: true }),
      () => versioned!("versioned", { name: "versioned/2" }),
      () => bytes!("private", { name: "private/2" }),
      () => movedThing!("moved", { name: "moved/2" }, { aliases: ["plain"] }),
      () => thing!("created", { name: "created/2", region: "north" }),
      () => thing!("imported", { name: "imported/2", region: "north" }, { adopt: true, importId: FOUND }),
    );
  },
  async slow(configure) {
    await configure().timeouts!("slow", { name: "slow/1", milliseconds: 150 });
  },
  // Runs in the destroy phase.
  destroyed: (configure) => programs.changes(configure),
};

function first(configure: Configure, props: object): Promise<void> {
  const { thing, versioned, private: bytes } = configure();
  return each(
    () => thing!("updated", { name: "updated/1", region: "north" }),
    () => thing!("replaced", { name: "replaced/1", region: "north" }),
    () => thing!("swapped", { name: "swapped/1", region: "north" }, { createBeforeDestroy: true }),
    () => versioned!("versioned", props),
    () => bytes!("private", { name: "private/1" }),
    () => thing!("plain", { name: "plain/1", region: "north" }),
    () => thing!("dropped", { name: "dropped/1", region: "north" }),
  );
}

const CHANGED = [
  "created/2",
  "imported/2",
  "moved/2",
  "private/2",
  "replaced/2",
  "swapped/2",
  "updated/2",
  "versioned/2",
];

export const scenarios: readonly Scenario[] = [
  {
    title: "creates",
    program: "first",
    expected: ["dropped/1", "plain/1", "private/1", "replaced/1", "swapped/1", "updated/1", "versioned/1"],
  },
  {
    title: "updates, replaces, an upgrade, a move, an import and a delete",
    before: "older",
    program: "changes",
    expected: CHANGED,
  },
  {
    title: "a refresh of what has drifted, or is gone",
    before: "changes",
    meanwhile(world) {
      for (const { id, name, ...rest } of world.all("fixture_thing")) {
        if (name === "updated/2") world.put("fixture_thing", String(id), { ...rest, id, name: "drifted/0" });
        if (name === "created/2") world.remove("fixture_thing", String(id));
      }
    },
    gone: "created",
    program: "changes",
    refresh: true,
    expected: CHANGED,
  },
  { title: "a destroy", before: "changes", program: "destroyed", expected: [] },
  {
    title: "a run that is told to end",
    program: "slow",
    stoppedAt: "fixture_timeouts",
    expected: ["slow/1"],
  },
];
