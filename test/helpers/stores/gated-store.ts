/** A store whose calls wait until a test releases them, in any order. */
import type { StateStore } from "../../../core/contract/index.js";
import { gate, quiet } from "../time/gate.js";
import { described, type StoreCall, storeAround } from "./store-around.js";

export interface HeldCall extends StoreCall {
  /** e.g. `create journal/1`. */
  readonly name: string;
  /** The call takes effect; its answer still waits. */
  act(): Promise<void>;
  /** The call takes effect, if it has not yet, and is answered; everything that this triggers has happened, too. */
  answer(): Promise<void>;
}

export interface GatedStore {
  readonly store: StateStore;
  /** Waiting calls, oldest first. */
  readonly held: readonly HeldCall[];
  /** From now on calls whose name matches wait; undefined: none. Calls that already wait keep waiting. */
  hold(which: RegExp | undefined): void;
  /** The oldest call with that name, once there is one. */
  reached(name: string | RegExp): Promise<HeldCall>;
}

export function gatedStore(inner: StateStore): GatedStore {
  const held: HeldCall[] = [];
  const waiting: { readonly name: string | RegExp; readonly found: (call: HeldCall) => void }[] = [];
  let which: RegExp | undefined;

  const store = storeAround(inner, async (call, act) => {
    const name = described(call);
    if (!which?.test(name)) return act();
    const acting = gate();
    const answering = gate();
    let acted = false;
    const effect = acting.opened.then(act).finally(() => {
      acted = true;
    });
    // A failed call is answered with its failure.
    effect.catch(() => {});
    const one: HeldCall = {
      ...call,
      name,
      async act() {
        acting.open();
        while (!acted) await quiet(1);
      },
      async answer() {
        await one.act();
        held.splice(held.indexOf(one), 1);
        answering.open();
        await quiet();
      },
    };
    held.push(one);
    for (const { name: wanted, found } of waiting.splice(0)) {
      if (matches(name, wanted)) found(one);
      else waiting.push({ name: wanted, found });
    }
    await answering.opened;
    return effect;
  });

  return {
    store,
    held,
    hold(pattern) {
      which = pattern;
    },
    reached(name) {
      const there = held.find((call) => matches(call.name, name));
      if (there) return Promise.resolve(there);
      return new Promise((found) => waiting.push({ name, found }));
    },
  };
}

function matches(name: string, wanted: string | RegExp): boolean {
  return typeof wanted === "string" ? name === wanted : wanted.test(name);
}
