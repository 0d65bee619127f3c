import { describe, expect, test } from "vitest";
import { firstBody, forgeEntry } from "./forging.ts";
import { refusalOf, sealedStage } from "./stages.ts";

describe("a sealed stage", () => {
  /** `checkInUse` comes before the proof (load.ts): a forged line tells people to give the program another store. */
  test.each([
    ["was moved away", { retired: { to: "s3://attacker/state", session: "s" } }],
    ["is being moved here", { arriving: { from: "s3://attacker/state", store: "0", lineage: "L" } }],
  ])("is not said to be one that %s where nobody with its key says so", async (_what, move) => {
    const { world, stage, store, program } = await sealedStage();
    const { genesis: _genesis, ...open } = (await firstBody(store)).open;
    await forgeEntry(store, { open: { ...open, format: 2, ...move } });
    const refused = await refusalOf(world, () => stage.up(program));
    expect(refused).toMatch(/^EngineError STATE_FORGED /);
    expect(refused).not.toContain("attacker");
  });
});
