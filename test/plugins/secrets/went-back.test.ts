/** A sealed state that is older than before, or another one: no seal detects this, but this machine remembers. */
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { fsStore } from "../../../adapters/fs/index.js";
import type { EngineOptions, Scope } from "../../../core/contract/index.js";
import { stageAdmin } from "../../../plugins/admin/index.js";
import { howItWentBack, lastingPart, type Remembered } from "../../../plugins/secrets/stage-key.js";
import { PASSWORD, secretStage } from "../../helpers/apps/secret-stage.ts";
import { World } from "../../helpers/apps/world.ts";

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "went-back-"));
  folders.push(made);
  return made;
}

let home = "";
beforeEach(async () => {
  home = await folder();
  vi.stubEnv("XDG_STATE_HOME", home);
});

/** Each run reopens the folder: tests exchange its contents in between. */
function stageAt(root: string, options: EngineOptions = {}) {
  const stage = secretStage({ rootDir: root, password: options.password ?? PASSWORD });
  const inFolder = { stateStore: fsStore({ root }), ...options };
  return {
    up: (program: (app: Scope) => unknown, more: EngineOptions = {}) => stage.up(program, { ...inFolder, ...more }),
    open: (more: EngineOptions = {}) => stage.open({ ...inFolder, ...more }),
    told: () => stage.heard("warning").map(({ code, message }) => `${code} ${message}`),
  };
}

const memories = async (): Promise<string[]> =>
  (await readdir(join(home, "scope-engine/stages")).catch(() => [])).map((name) =>
    join(home, "scope-engine/stages", name),
  );

/** A sealed stage in files with two changes, and its files after the first one. */
async function changedTwice() {
  const root = join(await folder(), "state");
  const world = new World();
  const Thing = world.type();
  const stage = stageAt(root);
  await stage.up(() => Thing("a"));
  const older = `${root}-older`;
  await cp(root, older, { recursive: true });
  await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
  world.news();
  const both = () => Promise.all([Thing("a"), Thing("b")]);
  const putBack = async (): Promise<void> => {
    await rm(root, { recursive: true });
    await cp(older, root, { recursive: true });
  };
  return { root, world, Thing, stage, both, putBack };
}

describe("a sealed state that was put back as it was earlier", () => {
  test("is reported on the machine that has seen the newer one, once; and the run continues", async () => {
    const { world, stage, both, putBack } = await changedTwice();
    await putBack();
    await stage.up(both);
    expect(stage.told()).toEqual([
      expect.stringMatching(
        /^STATE_WENT_BACK .*"app\/dev".*it was at entry 3, and is now at entry 2.*ignore this warning/,
      ),
    ]);
    expect(world.news()).toEqual(["create b"]);
    await stage.up(both);
    expect(stage.told()).toEqual([]);
  });

  test("is refused with strictState, in every phase, as often as it is met", async () => {
    const { world, stage, both, putBack } = await changedTwice();
    await putBack();
    for (const phase of ["up", "read", "up", "destroy"] as const) {
      await expect(stage.open({ phase, strictState: true })).rejects.toMatchObject({
        code: "STATE_WENT_BACK",
        message: expect.stringMatching(/run once without strictState \(--strict-state\)/),
      });
    }
    expect(world.news()).toEqual([]);
    await stage.up(both);
    await stage.up(both, { strictState: true });
    expect(stage.told()).toEqual([]);
  });

  test("is reported again after a command has only read it", async () => {
    const { root, both, stage, putBack } = await changedTwice();
    await putBack();
    await using admin = stageAdmin(fsStore({ root }), { app: "app", stage: "dev", env: {}, password: PASSWORD });
    await admin.list();
    await admin.show("a", { secrets: true });
    for (const look of ["tree", "graph", "history", "verify", "pull", "view", "holder"] as const) await admin[look]();
    await expect(stage.up(both, { strictState: true })).rejects.toMatchObject({ code: "STATE_WENT_BACK" });
    await stage.up(both);
    expect(stage.told()).toEqual([expect.stringMatching(/^STATE_WENT_BACK/)]);
  });

  test("and is gone altogether does not look like one that never was", async () => {
    const { root } = await changedTwice();
    await rm(root, { recursive: true });
    const options = { app: "app", stage: "dev", env: {}, password: PASSWORD, strictState: true };
    await using admin = stageAdmin(fsStore({ root }), options);
    await expect(admin.checkExists()).rejects.toMatchObject({ code: "STATE_WENT_BACK" });
  });

  test("is not told by a machine that has seen nothing, nor where nothing can be remembered", async () => {
    const { stage, both, putBack } = await changedTwice();
    await putBack();
    vi.stubEnv("XDG_STATE_HOME", await folder());
    await stage.up(both, { strictState: true });
    vi.stubEnv("XDG_STATE_HOME", "/proc/none");
    await stage.up(both, { strictState: true });
    expect(stage.told()).toEqual([]);
  });
});

describe("a sealed state that a run was writing at a power loss, and that a command had read", () => {
  async function powerLost() {
    const { root, stage, Thing } = await changedTwice();
    const app = await stage.open();
    await app.run(() => Thing("c"));
    const look = () => stage.up(() => {}, { phase: "read" });
    await look();
    const journal = join(root, "app/dev/journal");
    const newest = join(journal, (await readdir(journal)).sort().at(-1) ?? "");
    return { app, stage, look, newest };
  }

  test("is not told to have gone back where the newest lines, which were not synced, are lost", async () => {
    const { app, stage, look, newest } = await powerLost();
    const lines = (await readFile(newest, "utf8")).split("\n");
    expect(lines.length).toBeGreaterThan(2);
    await writeFile(newest, `${lines[0]}\n`);
    await look();
    expect(stage.told()).toEqual([]);
    await app.finalize().catch(() => {});
  });

  test("is reported as older if all of the entry is gone, which was synced", async () => {
    const { app, stage, look, newest } = await powerLost();
    await rm(newest);
    await look();
    expect(stage.told()).toEqual([expect.stringMatching(/it was at entry 4, and is now at entry 3/)]);
    await app.finalize().catch(() => {});
  });
});

describe("a sealed state in whose place", () => {
  test("nothing is any more is reported, with and without the password", async () => {
    const { root, stage, both } = await changedTwice();
    for (const password of [PASSWORD, undefined]) {
      await rm(root, { recursive: true });
      await expect(stage.open({ password, strictState: true })).rejects.toMatchObject({ code: "STATE_WENT_BACK" });
      await stage.up(() => {}, { password });
      expect(stage.told()).toEqual([expect.stringMatching(/it does not exist any more/)]);
      await stage.up(both);
    }
  });

  test("another one is that began again is reported", async () => {
    const { root, world, stage, both } = await changedTwice();
    await rm(root, { recursive: true });
    vi.stubEnv("XDG_STATE_HOME", await folder());
    await stage.up(both);
    vi.stubEnv("XDG_STATE_HOME", home);
    await expect(stage.open({ strictState: true })).rejects.toMatchObject({
      message: expect.stringMatching(/a state that was created separately/),
    });
    expect(world.news()).toEqual(["create a", "create b"]);
  });

  test("one without seals is put is refused, also by a run without a password", async () => {
    const { root, world, Thing, stage } = await changedTwice();
    await rm(root, { recursive: true });
    vi.stubEnv("XDG_STATE_HOME", await folder());
    await stage.up(() => Thing("forged"), { password: undefined });
    world.news();
    vi.stubEnv("XDG_STATE_HOME", home);
    const opened = stage.open({ password: undefined });
    await expect(opened).rejects.toMatchObject({
      code: "STATE_FORGED",
      message: expect.stringMatching(/not sealed now/),
    });
    expect(world.news()).toEqual([]);
  });
});

describe("what a machine remembers", () => {
  test("is a file for its owner alone, without any secret, and of no stage without a key", async () => {
    const { stage, Thing } = await changedTwice();
    const [path = "", ...others] = await memories();
    expect(others).toEqual([]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const text = JSON.parse(await readFile(path, "utf8"));
    expect(text).toMatchObject({ app: "app", stage: "dev", seq: 3, isSealed: true, kdf: { name: "scrypt" } });
    expect(Object.keys(text).sort()).toEqual(
      ["app", "digest", "format", "isSealed", "kdf", "lineage", "lines", "seq", "stage", "store"].sort(),
    );
    const root = join(await folder(), "plain");
    const plain = stageAt(root, { password: undefined });
    await plain.up(() => Thing("plain"));
    expect(await memories()).toHaveLength(1);
    await stage.up(() => Thing("a"), { phase: "read" });
  });

  test("is not used if it is damaged, and is created again", async () => {
    const { stage, both } = await changedTwice();
    const [path = ""] = await memories();
    for (const text of ["", "{", "[]", "null", '{"format":2}', '{"format":1,"lineage":"x","seq":"9"}']) {
      await writeFile(path, text);
      await stage.up(both);
      expect(stage.told()).toEqual([]);
      expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ seq: 3 });
    }
  });
});

describe("how a state went back", () => {
  const last: Remembered = { lineage: "l", seq: 5, lines: 3, digest: "d", isSealed: true };

  test.each([
    ["not at all: the same", last, undefined],
    ["not at all: more lines", { ...last, lines: 4, digest: "e" }, undefined],
    ["not at all: a later entry", { ...last, seq: 6, lines: 1, digest: "e" }, undefined],
    ["to an earlier entry", { ...last, seq: 4, lines: 9 }, /is now at entry 4/],
    ["to fewer lines", { ...last, lines: 2 }, /fewer lines than before \(2 instead of 3\)/],
    ["to another line", { ...last, digest: "e" }, /other content than before/],
    ["to another ledger, however far", { ...last, lineage: "m", seq: 99 }, /a state that was created separately/],
    ["to nothing", undefined, /does not exist/],
  ])("%s", (_, now, said) => {
    const how = howItWentBack(last, now);
    if (said) expect(how).toMatch(said);
    else expect(how).toBeUndefined();
  });

  test("is never seen by lines of an entry in which a session was open", () => {
    const open = lastingPart(last, { isLasting: false });
    expect(howItWentBack(open, { ...last, lines: 1, digest: "e" })).toBeUndefined();
    expect(howItWentBack(open, { ...last, seq: 4 })).toMatch(/is now at entry 4/);
    expect(lastingPart(last, { isLasting: true })).toEqual(last);
  });
});
