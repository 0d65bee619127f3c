/**
 * A run that has finished, with resources in the root scope and in two child scopes, from which a next run can start.
 */

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

/** Declares half of it, and returns the two child scopes. */
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

/** The existing resources, by key. */
export const left = ({ there }: Things): string[] =>
  [...there.keys()].map((fqn) => fqn.replace("shop/dev/", "")).sort();
/** The resources without a prune. */
export const all = ["dropped", "kept", "one/dropped", "one/kept", "two/dropped", "two/kept"];
