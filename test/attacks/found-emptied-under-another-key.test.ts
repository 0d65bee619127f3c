import { expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { secretStage } from "../helpers/apps/secret-stage.ts";
import { World } from "../helpers/apps/world.ts";
import { all, bodyOf, firstBody, keys, newestIn, put, textOf } from "./forging.ts";
import { placedStore, refusalOf, sealedStage } from "./stages.ts";

/**
 * If all contents are gone, the run fails with STATE_WENT_BACK. An empty state with a key that the password does not
 * open is waived (stage-key.ts), and the memory of the machine is not checked: `seen` is not called.
 */
test.each(["without any seal", "sealed with another password"])(
  "a stage whose contents were taken away and replaced by an empty one %s is told by what this machine has seen of it",
  async (how) => {
    const store = placedStore();
    const { world, stage, program } = await sealedStage({ stateStore: store, strictState: true });

    const other = secretStage({ password: "of the attacker", stateStore: memoryStore() });
    await other.up(() => new World().type()("x", {}));
    await other.up(() => {});
    if (how === "without any seal") {
      const checkpoint = (await other.store.get(await newestIn(other.store, keys.checkpoints))) ?? "";
      const ops = bodyOf(checkpoint).data.flatMap(([owner, values]: [string, [string, unknown][]]) =>
        values.map(([key, value]) => ({ op: "data", owner, key, value })),
      );
      const first = await firstBody(other.store);
      const line = textOf({ ...first, open: { ...first.open, format: 1 }, ops, close: {} });
      await put(store, new Map([[keys.entry(1), line]]));
    } else await put(store, await all(other.store));
    expect(await refusalOf(world, () => stage.up(program))).toMatch(/^EngineError STATE_WENT_BACK /);
  },
);
