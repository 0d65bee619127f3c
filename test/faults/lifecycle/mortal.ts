/** A run that can be killed: from then on nothing that it asks for is done, and nothing is answered. */
import type { StateStore } from "../../../core/contract/store.js";
import { storeAround } from "../../helpers/store-around.js";

export class Mortal {
  readonly died: Promise<"died">;
  readonly #die: () => void;
  #left: number;
  #isDead = false;

  /** @param moments how many it has to live, each a step of the store or of a handler; undefined for ever */
  constructor(moments: number | undefined) {
    this.#left = moments ?? Number.POSITIVE_INFINITY;
    let die = (): void => {};
    this.died = new Promise((resolve) => {
      die = () => resolve("died");
    });
    this.#die = die;
  }

  async moment(): Promise<void> {
    if (this.#left-- <= 0) {
      this.#isDead = true;
      this.#die();
    }
    if (this.#isDead) await new Promise<never>(() => {});
  }

  /** The store as the run reaches it: it may die before a request has taken effect, and after. */
  store(inner: StateStore): StateStore {
    return storeAround(inner, async (_call, act) => {
      await this.moment();
      const answer = await act();
      await this.moment();
      return answer;
    });
  }
}
