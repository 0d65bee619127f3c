/** One run of a program with the fixture's provider, in this process. Its folder holds everything that it leaves. */
import { join } from "node:path";
import { fsStoreAt } from "../../../../adapters/fs/index.js";
import { RunFailedError } from "../../../../core/base/index.js";
import type { StateStore } from "../../../../core/contract/index.js";
import { definePlugin } from "../../../../core/plugin/index.js";
import { createEngine } from "../../../../plugins/engine/index.js";
import { secrets } from "../../../../plugins/secrets/index.js";
import { LEAST_COST } from "../../../../plugins/secrets/password.js";
import { Offering, type OpenProvider } from "../../../../plugins/terraform/lifecycle/index.js";
import { launchProvider } from "../../../../plugins/terraform/protocol/index.js";
import { unfolded } from "../../../helpers/terminal/unfolded.js";
import { type Doom, doomed } from "../fixture/points.ts";
import { recordedIn } from "../fixture/world.ts";
import { fixtureDefinition, olderDefinition } from "../lifecycle/fixture-definition.ts";
import type { Fixture } from "../lifecycle/fixture-stage.ts";
import { type ProgramName, programs, type Scenario } from "./programs.ts";

/** Paths in the folder of a run. */
export const placesIn = (folder: string) => ({
  world: join(folder, "world"),
  state: join(folder, "state"),
  points: join(folder, "points"),
  /** Process ids of the providers. */
  providers: join(folder, "providers"),
});

export interface RunInput extends Pick<Scenario, "refresh" | "stoppedAt"> {
  readonly folder: string;
  readonly program: ProgramName;
  /** The compiled program of the fixture. */
  readonly fixture: string;
  readonly doom?: Doom;
  readonly store?: StateStore;
}

export interface RunOutcome {
  readonly errors: readonly string[];
  /** Warnings as `CODE FQN`. */
  readonly warnings: readonly string[];
  /** Number of provider processes that were started. */
  readonly started: number;
}

export async function run(input: RunInput): Promise<RunOutcome> {
  const { folder, program, refresh = false } = input;
  const warnings: string[] = [];
  const telling = definePlugin({
    name: "telling",
    apply: ({ events }) =>
      events.on("warning", (warning) => {
        for (const { code, fqn } of unfolded(warning)) warnings.push(`${code} ${fqn}`);
      }),
  });
  const offering = program === "older" ? offerings.older : offerings.now;
  const counter = { input, started: 0 };
  counted.set(folder, counter);
  const stop = new AbortController();
  const engine = createEngine({ plugins: [telling, secrets({ cost: LEAST_COST })] });
  const watching = input.stoppedAt === undefined ? undefined : stopAt(folder, input.stoppedAt, stop);
  const options = { stateStore: input.store ?? fsStoreAt(placesIn(folder).state), signal: stop.signal, refresh };
  const phase = program === "destroyed" ? "destroy" : "up";
  const own = {
    stage: "dev",
    argv: [],
    env: {},
    rootDir: folder,
    password: "correct horse",
    phase,
    ...options,
  } as const;
  const errors = await errorsOf(async () => {
    const app = await engine("app", own);
    await app.run(async () => await programs[program](() => offering.configured({}, {}) as Fixture)).catch(() => {});
    await app.finalize();
  });
  clearInterval(watching);
  counted.delete(folder);
  return { errors: errors.map(String), warnings, started: counter.started };
}

/** Runs in progress, by folder: types are defined once a process, whichever run needs them. */
const counted = new Map<string, { readonly input: RunInput; started: number }>();

const open: OpenProvider = async (_source, own, { signal, scope: { rootDir } }) => {
  const counter = counted.get(rootDir);
  if (!counter) throw new Error(`Nothing runs in ${rootDir}.`);
  counter.started++;
  const { fixture, program, doom } = counter.input;
  const { world, points, providers } = placesIn(rootDir);
  const killed = { FIXTURE_POINTS: points, ...(doom && { FIXTURE_DOOM: doomed(doom) }) };
  const places = { FIXTURE_WORLD: world, FIXTURE_PID: providers, ...killed };
  const env = { ...places, FIXTURE_STRICT: "1", FIXTURE_OLD: program === "older" ? "1" : "", ...own };
  const launch = { command: process.execPath, args: [fixture], name: "fixture", log: () => {} };
  return await launchProvider({ ...launch, env, folder: rootDir, signal });
};

const offerings = { older: new Offering(olderDefinition, open), now: new Offering(fixtureDefinition, open) };

/** Interrupts the run like Ctrl-C, once the provider was asked. */
function stopAt(folder: string, typeName: string, stop: AbortController): NodeJS.Timeout {
  const isAsked = (): boolean =>
    recordedIn(placesIn(folder).world).some(
      (asked) => asked.rpc === "ApplyResourceChange" && asked.typeName === typeName,
    );
  return setInterval(() => isAsked() && stop.abort(), 5);
}

async function errorsOf(act: () => Promise<void>): Promise<readonly unknown[]> {
  try {
    await act();
    return [];
  } catch (error) {
    return error instanceof RunFailedError ? error.errors : [error];
  }
}
