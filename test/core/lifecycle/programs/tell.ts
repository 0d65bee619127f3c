/** Runs a history with a real engine and a real ground, and reports problems. */

import { memoryStore } from "../../../../adapters/memory/index.js";
import type { DestroyStrategy } from "../../../../core/base/index.js";
import type { EnginePlugin, ResourceRecord, Scope, StateStore } from "../../../../core/contract/index.js";
import { comparePositions } from "../../../../core/order/index.js";
import { appOf } from "../../../../core/run/index.js";
import { createEngine } from "../../../../plugins/engine/index.js";
import { observed } from "../../../helpers/stores/observed-store.js";
import { putAll, snapshot } from "../../../helpers/stores/store-contents.js";
import type { Chapter } from "../order-world/history.ts";
import { edited, emptyProgram, type Group } from "../order-world/program.ts";
import { Ground, grounds } from "./ground.ts";
import { play } from "./play.ts";

const engine = createEngine();
const hermetic = { stage: "dev", argv: [], env: {} } as const;
let apps = 0;

type Fate = Pick<Chapter, "delays" | "fails" | "killAt">;

/** Problems after all chapters of a history; empty if all is well. */
export async function live(chapters: readonly Chapter[], strategy: DestroyStrategy): Promise<readonly string[]> {
  const app = `app${++apps}`;
  const ground = new Ground();
  const { store, requests } = observed(memoryStore());
  const problems: string[] = [];
  let program = emptyProgram();
  grounds.set(app, ground);
  const up = (fate: Fate) => run(app, store, ground, program, fate, strategy);
  for (const chapter of chapters) {
    program = edited(program, chapter.edits);
    const { delays } = chapter;
    const error = await up(chapter);
    problems.push(...(await destroyed(app, store, ground, strategy, delays)));
    if (error !== undefined && isCalm(chapter)) problems.push(`a run without a mishap failed: ${error}`);
    if (error === undefined) problems.push(...differences(ground));
    if (error !== undefined || problems.length > 0) continue;
    requests.clear();
    ground.calls.length = 0;
    const again = await up({ delays: delays.toReversed(), fails: [], killAt: undefined });
    if (again !== undefined) problems.push(`an unchanged run failed: ${again}`);
    if (requests.writes > 0) problems.push(`an unchanged run wrote: ${requests.all.join(", ")}`);
    if (ground.calls.length > 0) problems.push(`an unchanged run called ${ground.calls.join(", ")}`);
  }
  const last = await up({ delays: [0], fails: [], killAt: undefined });
  if (last !== undefined) problems.push(`a last run without a mishap failed: ${last}`);
  problems.push(...ground.early, ...ground.misplaced, ...differences(ground));
  grounds.delete(app);
  return problems;
}

/** True if nothing is to fail. */
function isCalm({ fails, killAt }: Fate): boolean {
  return fails.length === 0 && killAt === undefined;
}

const recorded = new WeakMap<Ground, ReadonlySet<string>>();

/** After a run that succeeded, the recorded resources must be the real ones. */
function differences(ground: Ground): string[] {
  const records = recorded.get(ground) ?? new Set();
  const lost = [...ground.things].filter(([uid]) => !records.has(uid)).map(([, { fqn }]) => `${fqn} is not recorded`);
  const gone = [...records]
    .filter((uid) => !ground.things.has(uid))
    .map((uid) => `the record ${uid} stands for nothing`);
  return [...lost, ...gone];
}

/** One up; resolves with its failure, if it had one. */
async function run(
  app: string,
  stateStore: StateStore,
  ground: Ground,
  program: Group,
  { delays, fails, killAt }: Fate,
  destroyStrategy: DestroyStrategy,
): Promise<unknown> {
  const interruption = new AbortController();
  let taken = 0;
  ground.weather = {
    pause: () => {
      if (taken === killAt) interruption.abort();
      return turns(delays[taken++ % delays.length] ?? 0);
    },
    fails: (name) => fails.includes(name),
  };
  const concurrency = delays.length % 3 === 0 ? 1 : 64;
  const plugins = delays.length % 2 === 0 ? [slow(ground)] : [];
  const options = { ...hermetic, stateStore, destroyStrategy, concurrency, plugins, signal: interruption.signal };
  const root = await engine(app, options);
  await root.run(() => play(root, ground, program)).catch(() => {});
  const error = await finalized(root);
  const { records } = appOf(root).ledger.contents;
  recorded.set(ground, new Set(records.keys()));
  ground.misplaced.push(
    ...[...records.values()].filter(isMisplaced).map(({ key }) => `${key} is done before it is ready`),
  );
  return error;
}

/** Delays everything before it is applied, like a prompt that waits for a person. */
function slow(ground: Ground): EnginePlugin {
  return {
    name: "slow",
    apply: ({ hooks }) => hooks.beforeApply.tap("slow", () => ground.weather.pause()),
  };
}

function isMisplaced({ ready, done }: ResourceRecord): boolean {
  return done !== undefined && comparePositions(ready, done) >= 0;
}

async function finalized(root: Scope): Promise<unknown> {
  try {
    await root.finalize();
    return undefined;
  } catch (error) {
    return error ?? new Error("undefined was thrown");
  }
}

/** Problems that a destroy of the stage would have, tried on copies of the state and the ground. */
async function destroyed(
  app: string,
  store: StateStore,
  ground: Ground,
  destroyStrategy: DestroyStrategy,
  delays: readonly number[],
): Promise<readonly string[]> {
  const copy = ground.clone();
  let taken = 0;
  copy.weather = { pause: () => turns(delays[taken++ % delays.length] ?? 0), fails: () => false };
  grounds.set(app, copy);
  const root = await engine(app, { ...hermetic, phase: "destroy", stateStore: await copied(store), destroyStrategy });
  await root.finalize();
  grounds.set(app, ground);
  const left = [...copy.things.values()].map(({ fqn }) => `${fqn} is still there after a destroy`);
  return [...copy.early, ...left];
}

async function copied(store: StateStore): Promise<StateStore> {
  const copy = memoryStore();
  await putAll(copy, await snapshot(store));
  return copy;
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}
