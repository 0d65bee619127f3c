import { existsSync } from "node:fs";
import { appendFile, mkdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { auditLog } from "../../plugins/audit-log/index.js";
import { Stage } from "../helpers/apps/stage.js";
import { World } from "../helpers/apps/world.js";
import { auditedEach, folder, lines, path, said } from "./audited.ts";

auditedEach();

function setUp() {
  const world = new World();
  const stage = new Stage({ rootDir: folder, plugins: [auditLog({ file: "audit.jsonl" })] });
  return { world, Thing: world.type({ replaceOn: ["name"] }), stage };
}

describe("the log", () => {
  test("has a line for each run and change, with when, who and where, and is for the user alone", async () => {
    const { Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: "top secret" }));
    await stage.up(() => Thing("a", { value: 2 }));
    await stage.up();
    expect(await said()).toEqual([
      ...["run started", "create app/dev/a started", "create app/dev/a done", "run done"],
      ...["run started", "update app/dev/a started", "update app/dev/a done", "run done"],
      ...["run started", "delete app/dev/a started", "delete app/dev/a done", "run done"],
    ]);
    const all = await lines();
    const runs = new Set(all.map(({ run }) => run));
    expect(runs.size).toBe(3);
    for (const { time, by, app, stage } of all) {
      expect(new Date(String(time)).toISOString()).toBe(time);
      expect({ by, app, stage }).toMatchObject({ by: { pid: process.pid }, app: "app", stage: "dev" });
    }
    expect(all[6]).toMatchObject({ kind: Thing.kind, changes: ["/value"] });
    expect(all[11]).toMatchObject({ summary: { deleted: 1 }, errors: [] });
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    expect(await readFile(path(), "utf8")).not.toContain("top secret");
  });

  test("has failures by their codes, vetoes, failed deletes and what was kept; no messages", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
    world.fails("delete a", "the password is swordfish");
    world.fails("create c", "the password is swordfish");
    const veto = {
      name: "veto",
      apply: ({ hooks }: Parameters<ReturnType<typeof auditLog>["apply"]>[0]) => {
        hooks.beforeApply.tap("veto", ({ id, veto }) => (id === "d" ? veto("no") : undefined));
        hooks.beforePrune.tap("veto", ({ items, keep }) => {
          for (const item of items) if (item.id === "b") keep(item, "needed");
        });
      },
    };
    await stage.failures(() => Promise.allSettled([Thing("c"), Thing("d")]), { plugins: [veto] });
    await stage.failures(() => {}, { plugins: [veto] });
    const after = (await said()).slice(6);
    expect(after).toEqual(expect.arrayContaining(["create app/dev/c failed", "create app/dev/d vetoed", "run failed"]));
    expect(after.slice(-5)).toEqual([
      ...["run started", "delete app/dev/b kept", "delete app/dev/a started", "delete app/dev/a failed", "run failed"],
    ]);
    expect((await lines()).at(-1)).toMatchObject({ errors: [{ code: "HANDLER_FAILED", fqn: "app/dev/a" }] });
    expect(await readFile(path(), "utf8")).not.toContain("swordfish");
  });

  test("has no plans, no reads and no stages that are only referred to", async () => {
    const { Thing, stage } = setUp();
    await stage.up(async (app) => {
      await Thing("a");
      await app.outputs({ x: 1 });
    });
    const before = await said();
    await stage.up(() => Thing("b"), { plan: true });
    await stage.up(() => Thing("a"), { phase: "read" });
    await stage.engine.drift("app", {
      stage: "dev",
      stateStore: stage.store,
      rootDir: folder,
      plugins: [auditLog({ file: "audit.jsonl" })],
    });
    expect(await said()).toEqual(before);
    await stage.up(() => stage.engine.ref("app", { stage: "dev" }), { stage: "other" });
    expect((await said()).slice(before.length)).toEqual(["run started", "run done"]);
  });

  test("has the line of a change before the program goes on, and half a line of others spoils none", async () => {
    const { Thing, stage } = setUp();
    await appendFile(path(), '{"half');
    await stage
      .up(async () => {
        await Thing("a");
        expect(await readFile(path(), "utf8")).toContain('"app/dev/a","outcome":"done"');
      })
      .catch(() => {});
    const [, ...rest] = (await readFile(path(), "utf8")).trimEnd().split("\n");
    expect(rest.map((line) => JSON.parse(line).outcome)).toEqual(["started", "started", "done", "done"]);
  });

  test("of a run that could not begin says so", async () => {
    const { Thing, stage } = setUp();
    await stage.up(() => Thing("a"));
    const failing = {
      name: "failing",
      apply: ({ hooks }: Parameters<ReturnType<typeof auditLog>["apply"]>[0]) =>
        hooks.stateLoaded.tap("failing", () => {
          throw new Error("no");
        }),
    };
    await expect(stage.open({ plugins: [failing] })).rejects.toMatchObject({ code: "PLUGIN_FAILED" });
    expect((await lines()).at(-1)).toMatchObject({ what: "run", outcome: "failed", code: "PLUGIN_FAILED" });
  });

  test("of one plugin for several apps at once tells them apart", async () => {
    const world = new World();
    const Thing = world.type();
    const stages = ["one", "two"].map((stage) => new Stage({ stage, rootDir: folder, plugins: [plugin] }));
    await Promise.all(stages.map((stage) => stage.up(() => Thing("a"))));
    expect((await said()).toSorted()).toEqual([
      ...["create app/one/a done", "create app/one/a started", "create app/two/a done", "create app/two/a started"],
      ...["run done", "run done", "run started", "run started"],
    ]);
  });
});

const plugin = auditLog({ file: "audit.jsonl" });

describe("a file that cannot be written", () => {
  test("rejects engine() before anything is done", async () => {
    const { world, Thing, stage } = setUp();
    await mkdir(path());
    await expect(stage.up(() => Thing("a"))).rejects.toMatchObject({
      code: "PLUGIN_FAILED",
      message: expect.stringContaining('Plugin "audit-log" failed in hook "stateLoaded"'),
    });
    expect(world.calls).toEqual([]);
  });

  test("is a link out of the project, and what it leads to stays as it is", async () => {
    const { world, Thing, stage } = setUp();
    const other = `${folder}.other`;
    await symlink(other, path());
    await expect(stage.up(() => Thing("a"))).rejects.toMatchObject({
      message: expect.stringContaining("leads out of the project through a symbolic link"),
    });
    expect([world.calls, existsSync(other)]).toEqual([[], false]);
  });

  test("later on fails the run, and nothing more is done; the next run of the same app may go on", async () => {
    const { world, Thing, stage } = setUp();
    const app = await stage.open();
    await app
      .run(async () => {
        await Thing("a");
        await rm(path());
        await mkdir(path());
        await Thing("b");
        await Thing("c").catch(() => {});
      })
      .catch(() => {});
    await expect(app.finalize()).rejects.toMatchObject({ name: "RunFailedError" });
    expect(world.calls).toEqual(["create a"]);
    await rm(path(), { recursive: true });
    await app.run(() => Promise.all(["a", "b", "c"].map((id) => Thing(id))));
    await app.finalize();
    expect(world.names).toHaveLength(3);
  });
});

test("a change has its line when its handler begins, for the run may be killed in it", async () => {
  const { world, Thing, stage } = setUp();
  const seen: string[] = [];
  const look = async (): Promise<void> => void seen.push((await said()).at(-1) ?? "");
  for (const call of ["create a", "update a", "delete a"]) world.on(call, look);
  await stage.up(() => Thing("a", { value: 1 }));
  await stage.up(() => Thing("a", { value: 2 }));
  await stage.up();
  expect(seen).toEqual(["create", "update", "delete"].map((what) => `${what} app/dev/a started`));
});

test("what a plugin vetoes has not begun, wherever that is installed", async () => {
  const { Thing, stage } = setUp();
  const never = {
    name: "never",
    apply: ({ hooks }: Parameters<ReturnType<typeof auditLog>["apply"]>[0]) =>
      hooks.beforeApply.tap("never", ({ veto }) => veto("never")),
  };
  await stage.failures(() => Thing("a"), { plugins: [never] });
  expect(await said()).toEqual(["run started", "create app/dev/a vetoed", "run failed"]);
});
