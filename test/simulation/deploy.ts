/** The work of one process with the stage: it opens it, runs the program, and finalizes. */

import type { EngineEvents, EngineOptions, EnginePlugin } from "../../core/contract/index.js";
import { stageAdmin } from "../../plugins/admin/index.js";
import { createEngine, type EngineParts } from "../../plugins/engine/index.js";
import { processExit } from "../../plugins/process-exit/index.js";
import { secrets } from "../../plugins/secrets/index.js";
import type { SimulatedProcess } from "../../plugins/testing/simulation/simulated-process.js";
import type { SimulatedStore } from "../../plugins/testing/simulation/simulated-store.js";
import { unfolded } from "../helpers/terminal/unfolded.ts";
import type { Props } from "./handlers.ts";
import type { Deployer, History } from "./history.ts";
import { RETRYING } from "./oracles.ts";
import { inside, play, type Stage } from "./play.ts";
import { edited, type Program } from "./program.ts";
import { UsersWorld } from "./users/world.ts";
import type { World } from "./world.ts";

export type Warning = EngineEvents["warning"];

/** A resource on which a run acted. */
export interface Deed {
  readonly process: string;
  readonly action: string;
  readonly fqn: string;
}

/** State that the processes of one history share. */
export interface Ground {
  readonly history: History;
  readonly store: SimulatedStore;
  readonly world: World;
  readonly told: Warning[];
  readonly deeds: Deed[];
  /** The file of the last plan, and its program. */
  saved: { readonly file: string; readonly program: Program } | undefined;
  note(line: string): void;
}

/** Engines with different frequencies of checkpoints, and different retention. */
const SETTINGS: readonly Omit<EngineParts, "plugins">[] = [
  {},
  { limits: { entries: 4, tail: 4_000, small: 2_000 } },
  { limits: { entries: 64, tail: 1, small: 1_000_000 }, histories: 1 },
  { limits: { entries: 1, tail: 600, small: 1_000_000 }, checkpoints: 1, histories: 0 },
];

const VETOING: EnginePlugin = {
  name: "vetoing",
  apply: ({ hooks }) => {
    hooks.beforePrune.tap("vetoing", ({ veto }) => veto("nothing goes"));
  },
};

const PLAN_FILE = "/project/plan.json";
const PASSWORD = "open sesame";

export async function deploy(
  ground: Ground,
  deployer: Deployer,
  program: Program,
  process: SimulatedProcess,
): Promise<unknown> {
  const { history, world, saved } = ground;
  const { does } = deployer;
  process.belongings.set("world", world);
  const { mishap, isWatched, targets } = deployer;
  world.enter(process, { mishap, random: process.chance("world"), targets, isWatched }, deployer);
  const begins = (looks = false): void => {
    if (world instanceof UsersWorld) world.starts(process.name, deployer, looks);
  };
  const prunes = (): void => {
    if (world instanceof UsersWorld) world.prunes(process.name);
  };
  const engine = createEngine({
    ...SETTINGS[history.limits % SETTINGS.length],
    plugins: [
      listening(ground, process),
      ...(deployer.vetoes ? [VETOING] : []),
      ...(deployer.isWatched ? [processExit()] : []),
      ...(history.password ? [secrets()] : []),
    ],
  });
  const isUp = does === "up" || does === "apply";
  const stage: Stage = { engine, world, process: process.name, hasSecrets: history.password, isUp };
  process.belongings.set("inside", (props: Props, uid: string) => inside(stage, props, uid));
  if (does === "move") return move(ground, deployer, process);
  if (does === "apply" && !saved) return undefined;
  if (saved) process.machine.files.set(PLAN_FILE, saved.file);
  const options = optionsOf(ground, deployer, process);
  if (does === "plan") {
    const plan = await engine.plan("app", options, (root) => play(stage, root, program));
    const file = process.machine.files.get(PLAN_FILE);
    if (file !== undefined) ground.saved = { file, program };
    if (world instanceof UsersWorld) world.foresee(plan);
    return plan;
  }
  if (deployer.calls && does === "up") {
    let attempts = 0;
    await engine.up("app", options, async (root) => {
      // The first attempt has loaded the state before, without a lock: from then on, changes count as those of others.
      if (attempts++ > 0) begins();
      await play(stage, root, program);
      prunes();
    });
    return "done";
  }
  const app = await engine("app", options);
  let played = does === "apply" && saved ? saved.program : program;
  await app.run(() => play(stage, app, played)).catch(() => {});
  prunes();
  await app.finalize();
  // As a program does that watches its own files.
  for (const edits of does === "up" ? deployer.again : []) {
    played = edited(played, edits);
    begins();
    await app.run(() => play(stage, app, played)).catch(() => {});
    prunes();
    await app.finalize();
  }
  if (deployer.looks === undefined) return "done";
  begins(deployer.looks !== "empty");
  await app.run((scope) => scope.has("a"));
  prunes();
  if (deployer.looks === "finalize") await app.finalize();
  else if (deployer.looks === "empty") await app.finalize({ empty: true });
  else await app[Symbol.asyncDispose]();
  return "done";
}

async function move({ history, store }: Ground, deployer: Deployer, process: SimulatedProcess): Promise<unknown> {
  const { stage = "dev", targets, lockTimeout } = deployer;
  const password = history.password ? { password: PASSWORD } : {};
  const given = { app: "app", stage, env: {}, rootDir: "/project", lockTimeout, ...password };
  const admin = stageAdmin(store.client(process, process.chance("store")), given);
  try {
    const what = targets.length > 0 ? { names: targets } : { all: true };
    return await admin.moveTo({ stage: stage === "dev" ? "next" : "dev", ...password, ...what });
  } finally {
    await admin.close();
  }
}

function optionsOf({ store, history }: Ground, deployer: Deployer, process: SimulatedProcess): EngineOptions {
  const { does, concurrency, parallel, lockTimeout, isEager, refresh, force, adopts, targets, isWatched } = deployer;
  const phase = does === "destroy" || does === "read" ? does : "up";
  return {
    stage: deployer.stage ?? "dev",
    phase,
    env: {},
    ...(isWatched ? {} : { argv: [] }),
    rootDir: "/project",
    profile: process.name,
    stateStore: store.client(process, process.chance("store")),
    concurrency,
    destroyStrategy: parallel ? "parallel" : "sequential",
    lockTimeout,
    lock: isEager ? "eager" : "lazy",
    ...(does === "read" ? {} : { refresh, force, ...(adopts ? { adopt: true } : {}) }),
    ...(targets.length > 0 && phase === "up" ? { target: targets.map((id) => `**/${id}`) } : {}),
    ...(history.password ? { password: PASSWORD } : {}),
    ...(does === "apply" ? { planFile: PLAN_FILE } : does === "plan" ? { planOut: PLAN_FILE } : {}),
    ...(deployer.isLimited ? { maxDeletes: 0 } : {}),
    ...(deployer.keepsOrphans ? { destroyOrphans: false } : {}),
    logger: { info() {}, error() {} },
  };
}

function listening({ told, deeds, world, note }: Ground, process: SimulatedProcess): EnginePlugin {
  return {
    name: "listening",
    apply: ({ events }) => {
      events.on("warning", (warning) => {
        told.push(...unfolded(warning));
        note(`${process.name} warns ${warning.code} ${warning.fqn ?? warning.fqns ?? ""}`);
      });
      events.on("resource:failed", ({ action, fqn }) => {
        if (action !== "delete") world.fails(process.name, fqn);
      });
      events.on("resource:retained", ({ fqn, reason }) => world.release(fqn, reason, process.name));
      events.on("resource:retrying", ({ fqn, message }) => told.push({ code: RETRYING, message, fqn }));
      for (const action of ["created", "updated", "replaced", "adopted", "deleted"] as const) {
        events.on(`resource:${action}`, ({ fqn }) => deeds.push({ process: process.name, action, fqn }));
      }
    },
  };
}
