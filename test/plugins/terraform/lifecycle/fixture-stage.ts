/** A stage whose program uses the fixture's provider, with processes and a world that end with the test. */
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import type { EngineOptions, PendingResource, Plan } from "../../../../core/contract/index.js";
import { ProviderLog } from "../../../../plugins/terraform/lifecycle/connections.js";
import {
  Offering,
  type OpenProvider,
  type ProviderResourceOptions,
} from "../../../../plugins/terraform/lifecycle/index.js";
import { launchProvider } from "../../../../plugins/terraform/protocol/index.js";
import { secretStage } from "../../../helpers/apps/secret-stage.js";
import type { Stage } from "../../../helpers/apps/stage.js";
import { kitIn } from "../fixture/server/kits.ts";
import { recordedIn, World } from "../fixture/world.ts";
import { fixtureLaunch } from "../fixture-provider.ts";
import { definitionBy, olderDefinition } from "./fixture-definition.ts";

type Declare = (
  id: string,
  props?: object,
  options?: ProviderResourceOptions,
) => PendingResource<Readonly<Record<string, unknown>>>;

/** The types, as in a generated module. */
export interface Fixture {
  readonly [type: string]: Declare;
}

export interface FixtureStage {
  readonly stage: Stage;
  readonly world: World;
  /** A configuration of the provider, for programs. */
  fixture(
    config?: object,
    options?: {
      readonly id?: string;
      readonly show?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
    },
  ): Fixture & {
    readonly data: Fixture;
    readonly ephemeral: Readonly<
      Record<string, (id: string, props?: object) => Promise<Readonly<Record<string, unknown>>>>
    >;
    readonly functions: Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;
  };
  /** The same with the provider from before, when the schema of `versioned` had version 0. */
  readonly before: Pick<FixtureStage, "fixture">;
  plan(program: () => unknown, options?: EngineOptions): Promise<Plan>;
  /** Questions to the provider since the last call. */
  asked(): readonly string[];
  /** Log lines of the providers, and the engine's notes about them. */
  readonly log: readonly string[];
  /** Text of the log file. */
  logFile(): string;
  /** Number of processes that were started. */
  readonly started: number;
}

/** The path that errors name. */
const LOG_FILE = ".engine/logs/providers/test.fixture.log";

/** Called once in a test file. */
export function fixtureStages(): (env?: Readonly<Record<string, string>>) => Promise<FixtureStage> {
  const undo: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const one of undo.splice(0).reverse()) await one();
  });
  return async (env = {}) => {
    const folder = await mkdtemp(join(tmpdir(), "fixture-"));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    let started = 0;
    const log: string[] = [];
    const open: OpenProvider = async (_source, own, { signal, redact }) => {
      started++;
      const file = new ProviderLog(folder, "test/fixture", redact);
      const add = (level: string, text: string): void => {
        log.push(`${level} ${text}`);
        file.addLine(level, text);
      };
      // Without TLS, because the provider would create a key pair at each start; the protocol tests use TLS.
      const launch = fixtureLaunch(folder, { FIXTURE_PLAIN: "1", ...env, ...own });
      return await launchProvider({ ...launch, logFile: LOG_FILE, log: add, signal });
    };
    const offering = new Offering(definitionBy(kitIn(env)), open);
    const older = new Offering(olderDefinition, (source, own, surroundings) =>
      open(source, { ...own, FIXTURE_OLD: "1" }, surroundings),
    );
    const configuredBy =
      (one: Offering): FixtureStage["fixture"] =>
      (config = {}, options = {}) =>
        one.configured(config, options) as ReturnType<FixtureStage["fixture"]>;
    const stage = secretStage();
    let seen = 0;
    return {
      stage,
      world: new World(folder),
      fixture: configuredBy(offering),
      before: { fixture: configuredBy(older) },
      plan: (program, options = {}) =>
        stage.engine.plan(
          "app",
          { stage: "dev", argv: [], env: {}, stateStore: stage.store, password: "correct horse", ...options },
          program,
        ),
      asked() {
        const all = recordedIn(folder).map(({ rpc }) => String(rpc));
        const since = all.slice(seen);
        seen = all.length;
        return since;
      },
      log,
      logFile: () => readFileSync(join(folder, LOG_FILE), "utf8"),
      get started() {
        return started;
      },
    };
  };
}
