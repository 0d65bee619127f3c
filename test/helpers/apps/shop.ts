/** A run that has finished, with resources in the root scope and in two child scopes, for a next run to go on from. */

import { memoryStore } from "../../../adapters/memory/index.js";
import type { Scope, StateStore } from "../../../core/contract/index.js";
import type { TestApps } from "./apps.ts";
import { newThings, type Things } from "./things.ts";

export interface Before {
  readonly stateStore: StateStore;
  readonly things: Things;
}

export async function aRunBefore({ engine, open }: TestApps): Promise<Before> {
  const stateStore = memoryStore();
  const things = newThings();
  const { Thing } = things;
  const app = await open({ stateStore });
  await Thing("kept");
  await Thing("dropped");
  for (const name of ["one", "two"]) {
    await engine.run(name, async () => {
      await Thing("kept");
      await Thing("dropped");
    });
  }
  await app.finalize();
  return { stateStore, things };
}

/** Declares half of it, and gives the two child scopes. */
export async function declareKept({ engine }: TestApps, { Thing }: Things): Promise<Scope[]> {
  await Thing("kept");
  const scopes: Scope[] = [];
  for (const name of ["one", "two"]) {
    await engine.run(name, async (scope) => {
      scopes.push(scope);
      await Thing("kept");
    });
  }
  return scopes;
}

/** What is there, by key. */
export const left = ({ there }: Things): string[] =>
  [...there.keys()].map((fqn) => fqn.replace("shop/dev/", "")).sort();
/** What is there when nothing was pruned. */
export const all = ["dropped", "kept", "one/dropped", "one/kept", "two/dropped", "two/kept"];
