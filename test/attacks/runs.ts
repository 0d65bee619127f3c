/** Runs of a stage, and the refusals that they must give after another program wrote to its store. */
import { expect } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { RunFailedError } from "../../core/base/index.js";
import type { StateStore } from "../../core/contract/index.js";
import { sessionSettings } from "../../core/engine/index.js";
import { move } from "../../plugins/admin/operations/move.js";
import { recoverNow } from "../../plugins/admin/operations/own-run.js";
import { forget } from "../../plugins/admin/operations/records/forget.js";
import { pull, push, restore } from "../../plugins/admin/operations/restore.js";
import { unlock } from "../../plugins/admin/operations/unlock.js";
import { createEngine } from "../../plugins/engine/index.js";
import { secrets } from "../../plugins/secrets/index.js";
import { migrate, rekey, rotatePassword, sealState } from "../helpers/apps/admin-tools.ts";
import { closedApp } from "../helpers/apps/closed-app.ts";
import { COST } from "../helpers/apps/secret-stage.ts";
import type { Stage } from "../helpers/apps/stage.ts";
import { all, keys, put, seqsIn } from "./forging.ts";
import type { Given, Values, Victim } from "./victim.ts";

export interface Attacked {
  readonly victim: Victim;
  readonly stage: Stage;
  readonly store: StateStore;
  /** Options of the run; may include a password or a key. */
  readonly options: Given;
}

type Run = (attacked: Attacked) => Promise<unknown>;

const settingsOf = async ({ stage, store, options }: Attacked) =>
  sessionSettings(await closedApp(stage, options), store);

const tool = ({ store, options }: Attacked) => ({ stage: "dev", stateStore: store, env: {}, cost: COST, ...options });

/** In an app of its own. If something opens the stage, it is passed, so that everything can be proven. */
async function refer({ store, options }: Attacked): Promise<unknown> {
  const reading = createEngine({ plugins: [secrets({ cost: COST })] });
  const app = await reading("reader", { stage: "dev", argv: [], env: {}, ...options, stateStore: store });
  try {
    return await app.run(() => reading.ref("app", { stage: "dev", ...openerIn(options) }));
  } finally {
    await app[Symbol.asyncDispose]();
  }
}

export const RUNS = {
  "up of the same program": ({ stage, victim, options }) => stage.up(victim.program, options),
  "up of an early lock": ({ stage, victim, options }) => stage.up(victim.program, { ...options, lock: "eager" }),
  "up of an empty program": ({ stage, options }) => stage.up(() => {}, options),
  "up with refresh": ({ stage, victim, options }) => stage.up(victim.program, { ...options, refresh: true }),
  destroy: ({ stage, options }) => stage.up(() => {}, { ...options, phase: "destroy" }),
  read: ({ stage, victim, options }) => stage.up(victim.program, { ...options, phase: "read" }),
  plan: ({ stage, store, victim, options }) =>
    stage.engine.plan("app", { ...runOptions, ...options, stateStore: store }, victim.program),
  drift: ({ stage, store, options }) => stage.engine.drift("app", { ...runOptions, ...options, stateStore: store }),
  "engine.ref": refer,
  restore: async (attacked) => {
    const histories = await seqsIn(attacked.store, keys.histories);
    return restore(await settingsOf(attacked), histories[0] ?? 2);
  },
  push: async (attacked) => {
    const { victim } = attacked;
    const sound = victim.on(await victim.store(victim.snapshots[1] ?? new Map()));
    const settings = sessionSettings(await closedApp(sound, victim.opener), sound.store);
    const text = await pull(settings);
    return push(await settingsOf(attacked), { source: "pulled.json", text, force: true });
  },
  pull: async (attacked) => pull(await settingsOf(attacked)),
  rotatePassword: (attacked) => rotatePassword("app", { ...tool(attacked), newPassword: "Tr0mb0ne" }),
  rekey: (attacked) => rekey("app", tool(attacked)),
  sealState: (attacked) => sealState("app", tool(attacked)),
  unlock: async (attacked) => unlock(await settingsOf(attacked), { force: true }),
  forget: async (attacked) => forget(await settingsOf(attacked), { patterns: ["app/dev/a"] }),
  move: async ({ stage, store, options }) =>
    move(await closedApp(stage, options), store, { from: "app/dev/a", to: "app/dev/z", force: true }),
  recover: async ({ stage, store, options }) => recoverNow(await closedApp(stage, options), store),
  migrate: async ({ store, options }) => {
    const to = memoryStore({ name: "new" });
    const refused = await failureOf(migrate("app", { stage: "dev", env: {}, ...options, stateStore: store, to }));
    if (refused === undefined) return;
    expect([...(await all(to))]).toEqual([]);
    throw refused;
  },
} satisfies Readonly<Record<string, Run>>;

export type RunName = keyof typeof RUNS;
export const RUN_NAMES = Object.keys(RUNS) as readonly RunName[];
/** These differ in how they read a state, and in what they act on; with the others it takes four times as long. */
const FEW: ReadonlySet<RunName> = new Set([
  "up of the same program",
  "destroy",
  "read",
  "engine.ref",
  "unlock",
  "move",
]);
export const ALL_BUT_FEW = RUN_NAMES.filter((name) => !FEW.has(name));
/** These only read: without the key they report that nothing is proven. */
export const LOOKS: ReadonlySet<RunName> = new Set(["read", "plan", "drift", "pull", "engine.ref"]);

const runOptions = { stage: "dev", argv: [], env: {} };

function openerIn({ password, key }: Given): Given {
  return { ...(password === undefined ? {} : { password }), ...(key === undefined ? {} : { key }) };
}

/** The error of a run. */
export async function failureOf(run: Promise<unknown>): Promise<unknown> {
  try {
    await run;
  } catch (error) {
    return error instanceof RunFailedError && error.errors.length > 0 ? error.errors[0] : error;
  }
  return undefined;
}

/** Name, code and message of an error; "nothing" for undefined. */
export function told(error: unknown): string {
  if (error === undefined) return "nothing";
  const { name, code, message }: { name?: string; code?: string; message?: string } = Object(error);
  return `${name} ${code} ${message}`;
}

export interface Expected {
  /** Codes of the refusals. */
  readonly codes: RegExp;
  /** The message must name it. Default: a key below those of the stage. */
  readonly names?: string | RegExp;
  /** Runs that the attack does not concern. */
  readonly except?: readonly RunName[];
  readonly options?: Given;
}

/** Each run, by itself, meets these values: it is refused, calls no handler and writes nothing. */
export async function expectRefused(victim: Victim, values: Values, expected: Expected): Promise<void> {
  const { codes, names = "app/dev/", except = [], options = victim.opener } = expected;
  for (const name of RUN_NAMES) {
    if (except.includes(name)) continue;
    const store = await victim.store(values);
    const stage = victim.on(store);
    victim.world.news();
    const run: Run = RUNS[name];
    const refused = told(await failureOf(run({ victim, stage, store, options })));
    expect(victim.world.news(), name).toEqual([]);
    expect(refused, name).toMatch(/^\w*Error [A-Z_]+ /);
    expect(refused.split(" ")[1], `${name}: ${refused}`).toMatch(codes);
    if (typeof names === "string") expect(refused, name).toContain(names);
    else expect(refused, name).toMatch(names);
    expect(await all(store), name).toEqual(new Map(values));
  }
}

/** A copy of a store's contents, after an attack. */
export async function attackedBy(
  victim: Victim,
  attack: (store: StateStore) => Promise<void> | void,
  values: Values = victim.values,
): Promise<Values> {
  const store = memoryStore();
  await put(store, values);
  await attack(store);
  return all(store);
}
