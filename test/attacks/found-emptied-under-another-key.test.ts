import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../core/state/memory.js";
import { secretStage } from "../helpers/secret-stage.ts";
import { World } from "../helpers/world.ts";
import { all, bodyOf, keys, linesOf, put, textOf } from "./forging.ts";

describe("a stage whose contents were taken away", () => {
  /**
   * Where all of it is gone, the run fails with STATE_WENT_BACK. Where there is an empty state with a key that the password does not
   * open, it is waived (stage-key.ts), and nobody asks what the machine remembers: `seen` is not called.
   */
  test.each(["without any seal", "sealed with another password"])(
    "and replaced by an empty one %s is told by what this machine has seen of it",
    async (how) => {
      const world = new World();
      const Thing = world.type();
      const store = { ...memoryStore(), location: `memory ${randomUUID()}` };
      const stage = secretStage({ stateStore: store, strictState: true });
      await stage.up(() => Thing("a", {}));

      const other = secretStage({ password: "of the attacker" });
      await other.up(() => Thing("x", {}));
      await other.up(() => {});
      const empty = await all(other.store);
      if (how === "without any seal") {
        const entry = keys.entry(1);
        const [line = ""] = linesOf(empty.get(entry));
        const last = [...empty].filter(([key]) => key.startsWith(keys.checkpoints)).at(-1)?.[1] ?? "";
        const data = bodyOf(last).data.flatMap(([owner, values]: [string, [string, unknown][]]) =>
          values.map(([key, value]) => ({ op: "data", owner, key, value })),
        );
        const body = bodyOf(line);
        await put(
          store,
          new Map([[entry, textOf({ ...body, open: { ...body.open, format: 1 }, ops: data, close: {} })]]),
        );
      } else await put(store, empty);
      world.news();

      const refused = await stage
        .up(() => Thing("a", {}))
        .then(
          () => "accepted",
          (error: unknown) => String(Object(error).code),
        );
      expect(world.news()).toEqual([]);
      expect(refused).toBe("STATE_WENT_BACK");
    },
  );
});
