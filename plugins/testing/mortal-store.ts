/** A client of a store that can die, as a client does with its process. */
import type { StateStore } from "../../core/contract/index.js";

export interface MortalStore {
  readonly store: StateStore;
  /** From now on nothing that is written through this client takes effect, and nothing is answered. */
  die(): void;
}

/** Members of a store that change what is in it. */
export const WRITES: ReadonlySet<string | symbol> = new Set(["set", "deleteMany", "create", "append"]);

export function mortalStore(inner: StateStore): MortalStore {
  let isDead = false;
  const dead = (): Promise<never> => Promise.reject(new Error("The process that wrote this was killed."));
  // Not the store itself: of one that is frozen a proxy could show no other members.
  const store: StateStore = new Proxy(Object.create(inner), {
    get(_, name) {
      const member: unknown = Reflect.get(inner, name);
      if (typeof member !== "function") return member;
      if (!WRITES.has(name)) return member.bind(inner);
      return (...args: unknown[]): unknown => {
        if (isDead) return dead();
        const answer: unknown = Reflect.apply(member, inner, args);
        // What was under way when the process died may have taken effect; nobody will ever hear of it.
        return answer instanceof Promise ? answer.then((value) => (isDead ? dead() : value)) : answer;
      };
    },
  });
  return {
    store,
    die: () => {
      isDead = true;
    },
  };
}
