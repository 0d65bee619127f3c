import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { recoverNow } from "../../../plugins/admin/operations/own-run.js";
import { unlock } from "../../../plugins/admin/operations/unlock.js";
import { closedApp } from "../../helpers/apps/closed-app.js";
import { Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { loadFrom } from "../../helpers/stores/journals.js";
import { toolSettings } from "../../helpers/stores/ledgers.js";
import { snapshot } from "../../helpers/stores/store-contents.js";

let rootDir = "";
beforeEach(async () => {
  rootDir = await mkdtemp(join(tmpdir(), "recover-"));
});
afterEach(() => rm(rootDir, { recursive: true, force: true }));

/** A run that lost its stage, and with it the result of one create. */
async function fenced() {
  const world = new World();
  const Thing = world.type();
  const stage = new Stage({ stateStore: memoryStore(), rootDir });
  await stage.up(() => Thing("first"));
  world.on("create late", async () => {
    await unlock(toolSettings(stage.store), { force: true });
  });
  await stage.failures(async () => {
    await Thing("first");
    await Thing("late");
  });
  return stage;
}

describe("recovering", () => {
  test("records what a run could not, and takes the file away", async () => {
    const stage = await fenced();
    expect((await loadFrom(stage.store)).contents.at("late")?.status).toBe("creating");
    expect(await recoverNow(await closedApp(stage), stage.store)).toEqual({
      recorded: [expect.stringMatching(/recorded now: "late"/)],
      left: [],
    });
    const { contents, head } = await loadFrom(stage.store);
    expect([contents.at("late")?.status, head.open]).toEqual(["ready", undefined]);
    expect(await readdir(rootDir)).toEqual([]);
  });

  test("leaves what it cannot use, and says why", async () => {
    const stage = await fenced();
    const [name = ""] = await readdir(rootDir);
    await writeFile(join(rootDir, name), "{");
    expect(await recoverNow(await closedApp(stage), stage.store)).toEqual({
      recorded: [],
      left: [expect.stringContaining("it is damaged")],
    });
    expect(await readdir(rootDir)).toEqual([name]);
  });

  test("writes nothing where there is nothing to recover", async () => {
    const stage = new Stage({ rootDir });
    await stage.up();
    const before = await snapshot(stage.store);
    expect(await recoverNow(await closedApp(stage), stage.store)).toEqual({ recorded: [], left: [] });
    expect(await snapshot(stage.store)).toEqual(before);
  });

  test("is refused while a run is at work", async () => {
    const world = new World();
    const stage = new Stage({ rootDir });
    const running = await stage.open();
    await running.run(() => world.type()("a"));
    const recovering = closedApp(stage).then((app) => recoverNow(app, stage.store));
    expect((await rejectedCode(recovering))[0]).toBe("STATE_LOCKED");
    await running.finalize({ noop: true });
  });
});
