/** Stages that move from one store to another, and processes that are killed during the move. */

import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import type { OneShotSettings } from "../../../core/state/index.js";
import { migrate } from "../../../plugins/admin/operations/index.js";
import { WRITES } from "../../../plugins/testing/faults.js";
import { rejectedCode } from "../checks/codes.js";
import { loadFrom, recorded } from "./journals.js";
import { type Ledgers, ownerOf, toolSettings } from "./ledgers.js";
import { putAll, snapshot } from "./store-contents.js";

/** A stage with a trimmed journal, copies for people, a session that was taken over, and one whose process is dead. */
export async function livedStage(ledgers: Ledgers, append: boolean): Promise<StateStore> {
  const store = memoryStore({ append, name: "old" });
  for (const name of ["a", "b", "c", "d", "e"]) {
    const run = await ledgers.begun(store, name);
    if (name !== "c") await run.close();
  }
  const crashed = await ledgers.begun(store, ["f", "g"]);
  await crashed.ledger.letGo();
  return store;
}

export const EVERYTHING = ["a", "b", "c", "d", "e", "f", "g"];

export async function copyOf(store: StateStore, append: boolean): Promise<StateStore> {
  const copy = memoryStore({ append, name: store.name });
  await putAll(copy, await snapshot(store));
  return copy;
}

/** The view of a run that comes to a stage: its records, or the code of the refusal. */
export async function foundIn(store: StateStore): Promise<readonly string[] | string> {
  try {
    return recorded(await loadFrom(store)).sort();
  } catch (error) {
    const [code] = await rejectedCode(Promise.reject(error));
    return String(code);
  }
}

/** Settings of a process that is dead when another run checks it. */
export function doomed(store: StateStore, ledgers: Ledgers): OneShotSettings {
  return toolSettings(store, { owner: ownerOf(ledgers.dead) });
}

/**
 * A migration whose process is killed at its nth write, to either store; or that continues, but never learns that the
 * write took effect. `wasReached`: false if it had finished before.
 */
export async function killedAt(
  ledgers: Ledgers,
  stores: { readonly from: StateStore; readonly to: StateStore },
  write: number,
  edge: "before" | "after" | "reply lost",
): Promise<{ readonly wasReached: boolean }> {
  let [writes, isDead] = [0, false];
  const broken = (): never => {
    throw new Error(edge === "reply lost" ? "The connection was lost." : "The process was killed.");
  };
  const mortal = (inner: StateStore): StateStore =>
    new Proxy(inner, {
      get(_, name) {
        const member: unknown = Reflect.get(inner, name);
        if (typeof member !== "function") return member;
        return async (...args: unknown[]): Promise<unknown> => {
          if (isDead) broken();
          const isLast = WRITES.has(name) && ++writes === write;
          if (isLast) isDead = edge !== "reply lost";
          if (isLast && edge === "before") broken();
          const done: unknown = await Reflect.apply(member, inner, args);
          return isLast ? broken() : done;
        };
      },
    });
  const listing = (inner: StateStore): StateStore => {
    const outer = mortal(inner);
    return new Proxy(outer, { get: (_, name) => Reflect.get(name === "list" ? inner : outer, name) });
  };
  const from = listing(stores.from);
  await migrate(edge === "reply lost" ? toolSettings(from) : doomed(from, ledgers), { to: listing(stores.to) }).catch(
    (error: unknown) => {
      if (writes < write) throw error;
    },
  );
  return { wasReached: writes >= write };
}
