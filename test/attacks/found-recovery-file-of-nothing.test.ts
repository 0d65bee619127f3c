import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { secretStage } from "../helpers/secret-stage.ts";
import { World } from "../helpers/world.ts";
import { all, bodyOf, keys, linesOf, textOf } from "./forging.ts";

let rootDir = "";
beforeEach(async () => {
  rootDir = await mkdtemp(join(tmpdir(), "scope-engine-"));
});
afterEach(() => rm(rootDir, { recursive: true }));

describe("a recovery file in clear", () => {
  /** `recover` asks whether the state is sealed, and an empty one is not yet, though the run has a key and is about to seal it. */
  test.each([
    ["that says no lineage", "nothing was ever recorded", false],
    ["that says its lineage", "somebody has put an empty state in its place", true],
  ])("%s is not taken by a run with a password where %s", async (_which, _where, hasEmpty) => {
    const world = new World();
    const Thing = world.type();
    const stage = secretStage({ rootDir });
    const twin = secretStage();
    await twin.up(() => Thing("victim", {}));
    const sealed = await all(twin.store);
    const checkpoint = [...sealed].filter(([key]) => key.startsWith(keys.checkpoints)).at(-1)?.[1] ?? "";
    const [record] = bodyOf(checkpoint).records;
    const first = bodyOf(linesOf(sealed.get(keys.entry(1)))[0] ?? "");
    const { lineage } = first.open.genesis;
    if (hasEmpty) await stage.store.set(keys.entry(1), textOf({ ...first, close: {} }));
    const about = { format: 1, app: "app", stage: "dev", ...(hasEmpty ? { lineage } : {}), session: "s", seq: 1 };
    const results = [{ changes: [{ op: "put", record }], intents: [] }];
    await writeFile(join(rootDir, "engine-recovery.app.dev.s.json"), textOf({ ...about, results }));
    world.news();

    await stage.up(() => {}).catch(() => {});
    expect(world.news()).toEqual([]);
    expect(stage.heard("warning")).toMatchObject([{ code: "RECOVERY_LEFT" }]);
  });
});
