/** Programs whose handler calls and store requests are counted. */
import { expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";
import { observed } from "../../helpers/stores/observed-store.js";

export const stores = [
  { store: "a store that can append", append: true },
  { store: "a store that can only create", append: false },
];

export function setUp(options: Parameters<typeof memoryStore>[0]) {
  const world = new World();
  const { store, requests } = observed(memoryStore(options));
  return { world, requests, Thing: world.type(), stage: new Stage({ stateStore: store }) };
}

export const idsTo = (count: number): string[] => Array.from({ length: count }, (_, index) => `r${index}`);

/** @param counts numbers of resources, each in its own test */
export function unchangedUps(counts: readonly number[], append: boolean): void {
  test.each(counts)(
    "an unchanged up of %i resources calls no handler, writes nothing and asks 4 times at most",
    async (count) => {
      const { world, requests, Thing, stage } = setUp({ append });
      const program = () => Promise.all(idsTo(count).map((id) => Thing(id, { value: id })));
      await stage.up(program);
      world.news();
      for (let run = 0; run < (count > 1000 ? 3 : 20); run++) {
        requests.clear();
        await stage.up(program);
        expect(requests.writes).toBe(0);
        expect(requests.besideTail).toBeLessThanOrEqual(4);
        expect(stage.summary).toEqual({ unchanged: count });
      }
      expect(world.calls).toEqual([]);
    },
  );
}
