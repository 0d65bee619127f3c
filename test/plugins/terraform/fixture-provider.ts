/** The provider of test/plugins/terraform/fixture, in processes that end with their test. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import {
  type LogLevel,
  launchProvider,
  type ProviderClient,
  type ProviderLaunch,
} from "../../../plugins/terraform/protocol/index.js";
import { compiledProgram } from "../../helpers/processes/compiled-program.ts";

export interface LaunchedFixture {
  readonly client: ProviderClient;
  /** Folder of its world. */
  readonly world: string;
  readonly log: readonly { readonly level: LogLevel; readonly text: string }[];
}

export const fixtureProgram = (): string => compiledProgram(new URL("./fixture/provider.child.ts", import.meta.url));

/** Launch settings of the fixture in a folder that is its world. */
export function fixtureLaunch(world: string, env: Readonly<Record<string, string>> = {}): ProviderLaunch {
  return {
    command: process.execPath,
    args: [fixtureProgram()],
    env: { FIXTURE_WORLD: world, ...env },
    folder: world,
    name: "fixture",
    log: () => {},
  };
}

type Env = Readonly<Record<string, string>>;

async function launch(env?: Env, more?: Partial<ProviderLaunch>): Promise<LaunchedFixture & { end(): Promise<void> }> {
  const world = await mkdtemp(join(tmpdir(), "fixture-"));
  const log: { readonly level: LogLevel; readonly text: string }[] = [];
  const own = { ...fixtureLaunch(world, env), log: (level: LogLevel, text: string) => log.push({ level, text }) };
  const remove = (): Promise<void> => rm(world, { recursive: true, force: true });
  try {
    const client = await launchProvider({ ...own, ...more });
    return { client, world, log, end: () => client.close().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Starts the fixture; it is stopped, and its world removed, with the test. */
export function fixtures(): (env?: Env, more?: Partial<ProviderLaunch>) => Promise<LaunchedFixture> {
  const launched: { end(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of launched.splice(0)) await one.end();
  });
  return async (env, more) => {
    const fixture = await launch(env, more);
    launched.push(fixture);
    return fixture;
  };
}

/** One fixture for all tests of a file or a describe block. */
export function sharedFixture(env?: Env): () => LaunchedFixture {
  let fixture: Awaited<ReturnType<typeof launch>> | undefined;
  beforeAll(async () => {
    fixture = await launch(env);
  });
  afterAll(() => fixture?.end());
  return () => {
    if (!fixture) throw new Error("It has not been started.");
    return fixture;
  };
}
