import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { secretStage } from "../helpers/apps/secret-stage.ts";
import { World } from "../helpers/apps/world.ts";
import { bodyOf, firstBody, keys, newestIn, textOf } from "./forging.ts";
import { refusalOf } from "./stages.ts";

let rootDir = "";
beforeEach(async () => {
  rootDir = await mkdtemp(join(tmpdir(), "scope-engine-"));
});
afterEach(() => rm(rootDir, { recursive: true }));

describe("a recovery file in clear", () => {
  /**
   * `recover` checks whether the state is sealed; an empty one is not sealed yet, though the run has a key and is about
   * to seal it.
   */
  test.each([
    ["that says no lineage", "nothing was ever recorded", false],
    ["that says its lineage", "somebody has put an empty state in its place", true],
  ])("%s is not taken by a run with a password where %s", async (_which, _where, hasEmpty) => {
    const world = new World();
    const Thing = world.type();
    const stage = secretStage({ rootDir });
    const twin = secretStage();
    await twin.up(() => Thing("victim", {}));
    const [record] = bodyOf((await twin.store.get(await newestIn(twin.store, keys.checkpoints))) ?? "").records;
    const first = await firstBody(twin.store);
    const { lineage } = first.open.genesis;
    if (hasEmpty) await stage.store.set(keys.entry(1), textOf({ ...first, close: {} }));
    const about = { format: 1, app: "app", stage: "dev", ...(hasEmpty ? { lineage } : {}), session: "s", seq: 1 };
    const results = [{ changes: [{ op: "put", record }], intents: [] }];
    await writeFile(join(rootDir, "engine-recovery.app.dev.s.json"), textOf({ ...about, results }));

    await refusalOf(world, () => stage.up(() => {}));
    expect(stage.heard("warning")).toMatchObject([{ code: "RECOVERY_LEFT" }]);
  });
});
