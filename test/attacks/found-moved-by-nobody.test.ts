import { describe, expect, test } from "vitest";
import { secretStage } from "../helpers/secret-stage.ts";
import { World } from "../helpers/world.ts";
import { bodyOf, digestOf, keys, linesOf, seqsIn, textOf } from "./forging.ts";

describe("a sealed stage", () => {
  /** `checkInUse` comes before the proof (load.ts): a line of anybody's tells people to give the program another store. */
  test.each([
    ["was moved away", { retired: { to: "s3://attacker/state", session: "s" } }],
    ["is being moved here", { arriving: { from: "s3://attacker/state", store: "0", lineage: "L" } }],
  ])("is not said to be one that %s where nobody with its key says so", async (_what, move) => {
    const world = new World();
    const Thing = world.type();
    const stage = secretStage();
    await stage.up(() => Thing("a", {}));
    const end = (await seqsIn(stage.store, keys.entries)).at(-1) ?? 0;
    const last = linesOf(await stage.store.get(keys.entry(end))).at(-1) ?? "";
    const [genesis = ""] = linesOf(await stage.store.get(keys.entry(1)));
    const { genesis: _genesis, ...open } = bodyOf(genesis).open;
    const entry = { seq: end + 1, session: "s", prev: digestOf(last), open: { ...open, format: 2, ...move } };
    await stage.store.set(keys.entry(end + 1), textOf(entry));
    world.news();

    const refused = await stage
      .up(() => Thing("a", {}))
      .then(
        () => "accepted",
        (error: unknown) => `${Object(error).code} ${Object(error).message}`,
      );
    expect(world.news()).toEqual([]);
    expect(refused).toMatch(/^STATE_FORGED/);
    expect(refused).not.toContain("attacker");
  });
});
