/**
 * A sealed stage for one attack, sessions of others in it, and the expected refusals of runs that meet forged values.
 */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { EngineOptions, StateStore } from "../../core/contract/index.js";
import { sessionSettings } from "../../core/engine/index.js";
import { Ledger, locationOf } from "../../core/state/index.js";
import type { LedgerSettings } from "../../core/state/ledger.js";
import { closedApp } from "../helpers/apps/closed-app.ts";
import { secretStage } from "../helpers/apps/secret-stage.ts";
import type { Stage } from "../helpers/apps/stage.ts";
import { World } from "../helpers/apps/world.ts";
import { failureOf, told } from "./runs.ts";

/** Its program declares one resource, `a`, and has run. */
export async function sealedStage(options: Parameters<typeof secretStage>[0] = {}) {
  const world = new World();
  const Thing = world.type();
  const stage = secretStage(options);
  const program = () => Thing("a", {});
  await stage.up(program);
  world.news();
  return { world, Thing, stage, store: stage.store, program };
}

/** A store with a location of its own: this machine remembers the states that it has seen there. */
export function placedStore(): StateStore {
  return { ...memoryStore(), location: `memory ${randomUUID()}` };
}

export interface Session extends Partial<LedgerSettings> {
  /** Default: that of the stage. */
  readonly opener?: EngineOptions;
}

/** A session with the key; `letGo` ends it as the end of its process would. */
export async function sessionOn(stage: Stage, { opener = {}, ...own }: Session = {}): Promise<Ledger> {
  const app = await closedApp(stage, opener);
  const settings = locationOf(sessionSettings(app, own.store ?? stage.store));
  const { rootDir } = app.options;
  return Ledger.open({ ...settings, rootDir, writes: true, command: "up", broken() {}, ...own });
}

/** One by one, each durable. */
export async function changeData(ledger: Ledger, values: readonly unknown[]): Promise<void> {
  for (const value of values) {
    await ledger.commit([{ op: "data", owner: "/", key: "k", value: String(value) }], "now");
  }
}

/** The error of a run as text, or "nothing"; either way the run calls no handler. */
export async function refusalOf(world: World, run: () => Promise<unknown>): Promise<string> {
  world.news();
  const refused = told(await failureOf(run()));
  expect(world.news()).toEqual([]);
  return refused;
}
