import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { PASSWORD } from "../../helpers/apps/secret-stage.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { loadFrom } from "../../helpers/stores/journals.js";
import { snapshot } from "../../helpers/stores/store-contents.js";
import { administered, filled, KINDS } from "./administered.js";

const given = administered();
const password = PASSWORD;
const refuse = (): never => {
  throw new Error("not this time");
};

describe.each(KINDS)("an admin of a stage in %s looks", (kind) => {
  test("at what is recorded, writing nothing and taking no lock, also while a run is at work", async () => {
    const all = await given(kind);
    await filled(all);
    const before = await snapshot(all.store);
    const admin = all.admin();
    expect(await admin.list()).toMatchObject({
      holder: undefined,
      resources: [
        { fqn: "app/dev/db", status: "ready", protect: true },
        { fqn: "app/dev/web/logo", protect: false },
        { fqn: "app/dev/web/page" },
      ],
    });
    expect((await admin.list(["web/**"])).resources).toHaveLength(2);
    expect(await admin.show("page")).toMatchObject({ resources: [{ dependsOn: ["app/dev/db"] }] });
    expect(await admin.tree()).toMatchObject({
      name: "app/dev",
      children: [
        { name: "db", resource: { protect: true }, children: [] },
        { name: "web", fqn: "app/dev/web", children: [{ name: "logo" }, { name: "page" }] },
      ],
    });
    expect((await admin.graph()).edges).toMatchObject([{ from: "app/dev/db", to: "app/dev/web/page", certain: true }]);
    expect(await admin.history()).toMatchObject([{ run: { command: "up", outcome: "done" }, resources: 3 }]);
    expect(await admin.verify()).toMatchObject({ resources: 3, findings: [] });
    expect(await admin.holder()).toBeUndefined();
    expect(await snapshot(all.store)).toEqual(before);
    const app = await all.stage.open();
    await app.run(() => all.Thing("new"));
    expect(await admin.holder()).toMatchObject({ command: "up", process: "runs", pid: process.pid });
    expect((await admin.list()).resources.map(({ fqn }) => fqn)).toContain("app/dev/new");
    await app.finalize({ noop: true });
  });

  test("at secrets in clear with the password alone, and names them else", async () => {
    const all = await given(kind);
    await filled(all);
    const [db] = (await all.admin().show("db")).resources;
    expect(db?.props).toEqual({ value: "(secret)" });
    const [open] = (await all.admin({ password }).show("db", { secrets: true })).resources;
    expect(open?.props).toEqual({ value: "hush" });
    expect((await rejectedCode(all.admin().show("db", { secrets: true })))[0]).toBe("PASSWORD_REQUIRED");
    expect((await rejectedCode(all.admin({ password: "wrong" }).show("db", { secrets: true })))[0]).toBe(
      "WRONG_PASSWORD",
    );
  });

  test("for what is not there, and says so", async () => {
    const all = await given(kind);
    await filled(all);
    const admin = all.admin({ password });
    const looks = [
      () => admin.list(["none"]),
      () => admin.show("none"),
      () => admin.restore(4711),
      () => admin.forget(["none"]),
    ];
    for (const look of looks) expect((await rejectedCode(look()))[0]).toBe("NOT_RECORDED");
    expect((await rejectedCode(all.admin({ stage: "other" }).pull()))[0]).toBe("NOT_RECORDED");
  });
});

describe.each(KINDS)("an admin of a stage in %s changes", (kind) => {
  test("names, by a session that is closed, and asks first", async () => {
    const all = await given(kind);
    await filled(all);
    const admin = all.admin({ password });
    const before = await snapshot(all.store);
    await expect(admin.move("web", "site", { approve: refuse })).rejects.toThrow("not this time");
    expect((await rejectedCode(admin.move("page", "logo")))[0]).toBe("DUPLICATE_ID");
    expect(await snapshot(all.store)).toEqual(before);
    expect(await admin.move("web", "site")).toEqual({
      from: "app/dev/web",
      to: "app/dev/site",
      resources: ["app/dev/web/page", "app/dev/web/logo"],
    });
    expect((await loadFrom(all.store)).head.open).toBeUndefined();
    expect((await admin.history()).at(-1)?.run).toMatchObject({ command: "move", outcome: "done" });
  });

  test("what is recorded by forgetting it, unless it is protected, and goes back to a copy", async () => {
    const all = await given(kind);
    await filled(all);
    const admin = all.admin({ password });
    expect((await rejectedCode(admin.forget(["db"])))[0]).toBe("PROTECTED");
    await expect(admin.forget(["web"], { approve: refuse })).rejects.toThrow("not this time");
    expect(await admin.forget(["db"], { force: true })).toMatchObject({
      resources: [{ fqn: "app/dev/db" }],
      scopes: [],
      dependents: ["app/dev/web/page"],
    });
    const [first] = await admin.history();
    await expect(admin.restore(first?.seq ?? 0, { approve: refuse })).rejects.toThrow("not this time");
    expect((await admin.list()).resources).toHaveLength(2);
    expect(await admin.restore(first?.seq ?? 0)).toEqual({ changes: 1, forgotten: [] });
    expect((await admin.list()).resources).toHaveLength(3);
    expect(all.world.calls.filter((call) => !call.startsWith("create"))).toEqual([]);
  });

  test("it to what was pulled, and refuses what is older than what was recorded since", async () => {
    const all = await given(kind);
    await filled(all);
    const admin = all.admin({ password });
    const text = await admin.pull();
    expect(text).not.toContain("hush");
    await admin.forget(["logo"]);
    expect((await rejectedCode(admin.push(text)))[0]).toBe("STATE_MOVED");
    expect((await rejectedCode(admin.push(text.replace("logo", "lego"))))[0]).toBe("STATE_CORRUPT");
    expect(await admin.push(text, { force: true, source: "the backup" })).toEqual({ changes: 1, forgotten: [] });
    expect(await admin.push(await admin.pull())).toEqual({ changes: 0, forgotten: [] });
    const since = await admin.pull();
    await admin.forget(["logo"]);
    expect((await rejectedCode(admin.push(text, { since })))[0]).toBe("STATE_MOVED");
    expect(await admin.push(text, { since: await admin.pull() })).toEqual({ changes: 1, forgotten: [] });
  });

  test("a state that was never sealed into a sealed one, with a password alone, once", async () => {
    const all = await given(kind, "");
    const plain = all.stage;
    await plain.up(() => all.Thing("a"), { password: undefined });
    expect((await rejectedCode(all.admin().seal()))[0]).toBe("PASSWORD_REQUIRED");
    const admin = all.admin({ password });
    expect((await rejectedCode(admin.list()))[0]).toBe("STATE_FORGED");
    const counts: number[] = [];
    await expect(admin.seal({ approve: refuse })).rejects.toThrow("not this time");
    expect(await admin.seal({ approve: (count) => void counts.push(count) })).toBe(true);
    expect(await admin.seal({ approve: refuse })).toBe(false);
    expect(counts).toEqual([1]);
    expect((await admin.list()).resources).toHaveLength(1);
    expect((await admin.history()).at(-1)?.run?.command).toBe("seal");
    expect((await rejectedCode(all.admin().forget(["a"])))[0]).toBe("PASSWORD_REQUIRED");
  });

  test("where the state is, and leaves the old place saying so", async () => {
    const all = await given(kind);
    await filled(all);
    const admin = all.admin({ password });
    const to = memoryStore({ name: "elsewhere" });
    await expect(admin.migrate(to, { approve: refuse })).rejects.toThrow("not this time");
    const steps: number[] = [];
    const moved = await admin.migrate(to, { progress: (done) => void steps.push(done) });
    expect(moved).toMatchObject({ to: "elsewhere", resources: 3, wasCopied: false });
    expect(steps.length).toBeGreaterThan(0);
    expect((await rejectedCode(admin.list()))[0]).toBe("STATE_RETIRED");
    expect((await all.admin({ password }, to).list()).resources).toHaveLength(3);
  });

  test("who has it, by force where that process runs here, and records later what that run could not", async () => {
    const all = await given(kind);
    await filled(all);
    const { world, stage, Thing } = all;
    const admin = all.admin({ password });
    const codes: string[] = [];
    world.on("create late", async () => {
      codes.push((await rejectedCode(admin.unlock()))[0]);
      await expect(admin.unlock({ force: true, approve: refuse })).rejects.toThrow("not this time");
      expect(await admin.unlock({ force: true })).toMatchObject({ command: "up", pid: process.pid });
    });
    await stage.failures(async (app) => {
      await app.run(() => Thing("late"));
    });
    expect(codes).toEqual(["STATE_LOCKED"]);
    expect(await admin.unlock({ approve: refuse })).toBeUndefined();
    expect(await admin.recover()).toMatchObject({ recorded: [expect.stringContaining('"late"')], left: [] });
    expect((await admin.list(["late"])).resources).toMatchObject([{ status: "ready" }]);
    expect((await readdir(all.rootDir)).filter((name) => name !== "state")).toEqual([]);
    expect(await admin.recover()).toEqual({ recorded: [], left: [] });
  });
});
