/** A forger without a key who can write to the store, and has kept everything ever in it. */
import { type Arrangement, Arranger } from "./arrange.js";
import { describeCheckpoint, describeContent } from "./describing.js";
import type { History } from "./history.js";
import type { PastId } from "./past.js";
import { believed } from "./properties.js";
import type { State } from "./state.js";
import type { Move, World } from "./turn.js";

interface Choices {
  /** States that existed before. */
  readonly true: readonly Move[];
  /** Any other one is a fault of the protocol, and shows at once. */
  readonly false: readonly Move[];
}

const NONE: readonly Move[] = [];

export class Forger {
  readonly #world: World;
  readonly #arranger: Arranger;
  readonly #choices = new Map<PastId, Choices>();

  constructor(world: World) {
    this.#world = world;
    this.#arranger = new Arranger(world);
  }

  /**
   * Arranges the whole store so that holders of the key accept it.
   *
   * Before a load only: during a load it could only leave parts of two stores, and all parts that a load accepts as
   * complete are checked anyway.
   */
  moves(state: State): readonly Move[] {
    const { forgeries } = this.#world.scenario;
    if (forgeries === 0) return NONE;
    const choices = this.#choicesWith(state.past);
    if (choices.false.length > 0) return choices.false;
    const mayPut =
      state.forged < forgeries && state.clients.some(({ step }) => step === "idle" || step === "list-again");
    return mayPut ? choices.true : NONE;
  }

  #choicesWith(past: PastId): Choices {
    let choices = this.#choices.get(past);
    if (choices === undefined) {
      const all = this.#arranger.arrangements(past);
      const isTrue = ({ known }: Arrangement) => this.#world.past.isTrue(past, known);
      choices = {
        true: all.filter(isTrue).map((one) => this.#move(one, (state) => put(state, this.#world.history, one))),
        false: all
          .filter((one) => !isTrue(one))
          .map((one) =>
            this.#move(one, () => {
              throw believed(this.#world, one.known, "whoever loads that");
            }),
          ),
      };
      this.#choices.set(past, choices);
    }
    return choices;
  }

  #move(arrangement: Arrangement, apply: (state: State) => void): Move {
    return { label: () => `the forger leaves ${this.#describe(arrangement)}`, fault: false, apply };
  }

  #describe({ base, checkpoint, entries }: Arrangement): string {
    const { history } = this.#world;
    const parts = entries.map((content) => describeContent(history, content));
    return [...(base > 0 ? [describeCheckpoint(history, checkpoint)] : []), ...parts].join(" ") || "nothing";
  }
}

function put(state: State, history: History, { base, checkpoint, entries }: Arrangement): void {
  state.journal.fill(0);
  state.checkpoints.fill(0);
  if (base > 0) {
    state.checkpoints[base] = checkpoint;
    state.journal[base] = history.history(history.checkpointOf(checkpoint).folds).content;
  }
  for (const [index, content] of entries.entries()) state.journal[base + 1 + index] = content;
  state.forged++;
}
