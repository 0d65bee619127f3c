import { expect, test } from "vitest";
import { withResolvers } from "../../../core/base/index.js";
import { Resource } from "../../../core/resource/index.js";
import { Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";

const WAVES = 10;
const WIDTH = 100;
const CONCURRENCY = 50;

/** Lets nobody of a wave go on before half of it is there; a strategy that takes fewer at once never ends. */
class Meeting {
  readonly #gates = Array.from({ length: WIDTH / CONCURRENCY }, () => withResolvers<void>());
  #come = 0;

  async join(): Promise<void> {
    const gate = this.#gates[Math.floor(this.#come / CONCURRENCY)];
    this.#come++;
    if (this.#come % CONCURRENCY === 0) gate?.resolve();
    await gate?.promise;
  }
}

test("in parallel, a stage of 1,000 resources in ten waves is gone in twenty times what one delete takes", async () => {
  const stage = new Stage();
  const meetings = Array.from({ length: WAVES }, () => new Meeting());
  const ended: number[] = [];
  const early: string[] = [];
  const Slow = Resource(newKind(), {
    create: ({ props }: { props: { wave: number } }) => ({ wave: props.wave }),
    async delete({ id, output: { wave } }) {
      // What was declared by a later wave could have been made from any of this one.
      const later = ended.filter((one) => one > wave).length;
      if (later < (WAVES - 1 - wave) * WIDTH) early.push(id);
      await meetings[wave]?.join();
      ended.push(wave);
    },
  });
  await stage.up(async () => {
    for (let wave = 0; wave < WAVES; wave++) {
      await Promise.all(Array.from({ length: WIDTH }, (_, index) => Slow(`w${wave}-${index}`, { wave })));
    }
  });
  await stage.destroy({ destroyStrategy: "parallel", concurrency: CONCURRENCY });
  expect([ended.length, early]).toEqual([WAVES * WIDTH, []]);
});
