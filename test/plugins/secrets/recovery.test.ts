import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { EngineOptions, EnginePlugin } from "../../../core/contract/index.js";
import { digested } from "../../../core/state/checkpoint/digested-text.js";
import { stageAdmin } from "../../../plugins/admin/index.js";
import type { RotationOptions } from "../../../plugins/admin/operations/index.js";
import { unsealText } from "../../../plugins/secrets/codec.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { folderEach, cwd as rootDir } from "../../e2e/own-folder.ts";
import { rekey, rotatePassword, type ToolOptions } from "../../helpers/apps/admin-tools.ts";
import { inStore, PASSWORD, secretStage } from "../../helpers/apps/secret-stage.ts";
import { World } from "../../helpers/apps/world.ts";

const NEW = "new horse";

folderEach("recovery");

/** A stage whose last run created something that it could not record, and the program of the next run. */
async function leftBehind({
  value,
  ...options
}: Pick<EngineOptions, "password" | "plugins"> & { readonly value?: unknown } = {}) {
  const world = new World();
  const Thing = world.type({ read: false });
  const stateStore = memoryStore();
  const { append } = stateStore;
  const stage = secretStage({ stateStore, rootDir, ...options });
  const made = value ?? { user: "customer 17", password: new Secret("hunter2") };
  const program = () => Thing("a", { value: made });
  world.after("create a", () => {
    stateStore.append = () => Promise.reject(new Error("disk full"));
  });
  await stage.up(program).catch(() => {});
  stateStore.append = append;
  world.calm();
  const names = await readdir(rootDir);
  const file = join(rootDir, names.find((name) => name.startsWith("engine-recovery.")) ?? "none");
  return { world, stage, program, file, stateStore };
}

describe("a recovery file", () => {
  test("says nothing to anybody without the password, and everything to the next run", async () => {
    const { world, stage, program, file, stateStore } = await leftBehind();
    const text = await readFile(file, "utf8");
    expect(text).toContain('"sealed"');
    expect(text).not.toMatch(/customer|hunter2|\ba#1/);
    const admin = stageAdmin(stateStore, { app: "app", stage: "dev", rootDir, password: PASSWORD });
    expect((await admin.verify()).findings).toMatchObject([
      { key: file, level: "harmless", advice: expect.stringContaining('the next "engine up" or "engine destroy"') },
    ]);
    world.news();
    await stage.up(program);
    expect(stage.heard("warning")).toMatchObject([{ code: "RECOVERED" }]);
    expect(world.news()).toEqual([]);
    expect(await readdir(rootDir)).toEqual([]);
  });

  const failing: EnginePlugin = {
    name: "no memory",
    apply: ({ hooks }) =>
      hooks.seal.tap({ name: "no memory", before: "secrets" }, () => {
        throw new Error("no memory left");
      }),
  };

  test.each([
    ["where there is no password", [], ["RECOVERY_FILE"]],
    ["rather than not at all, where it cannot be encrypted", [failing], ["RECOVERY_UNSEALED", "RECOVERY_FILE"]],
  ])("is in clear %s", async (_when, plugins, warnings) => {
    const { stage, file } = await leftBehind({ password: undefined, plugins, value: "customer 17" });
    expect(await readFile(file, "utf8")).toContain("customer 17");
    expect(stage.heard("warning").map(({ code }) => code)).toEqual(warnings);
  });

  test("that could not be encrypted in a sealed stage is for a person to compare: no run records it", async () => {
    const { stage } = await leftBehind({ plugins: [failing] });
    expect(stage.heard("warning")).toMatchObject([
      { code: "RECOVERY_UNSEALED", message: expect.stringContaining("no run will read this file into the state") },
      { code: "RECOVERY_FILE", message: expect.stringMatching(/ are in \S+\.json\.$/) },
    ]);
  });

  test.each([
    ["under a password that was changed since", { password: NEW }, [], "encrypted with another password"],
    ["with no password", { password: undefined }, ["UNVERIFIED"], "ENGINE_PASSWORD"],
  ])("is left as it is by a run %s, which says why", async (_what, options, before, why) => {
    const { stage, file, stateStore } = await leftBehind();
    const elsewhere = inStore(stateStore, { rootDir: join(rootDir, "elsewhere") });
    await rotatePassword("app", { ...elsewhere, password: PASSWORD, newPassword: NEW });
    const text = await readFile(file, "utf8");
    const app = await stage.open(options);
    const warnings = stage.heard("warning");
    expect(warnings.map(({ code }) => code)).toEqual([...before, "RECOVERY_LEFT"]);
    expect(warnings.at(-1)?.message).toContain(why);
    await app.finalize({ noop: true }).catch(() => {});
    expect(await readFile(file, "utf8")).toBe(text);
  });

  test("is not looked at by a run with a wrong password, which does not begin", async () => {
    const { world, stage, program, file } = await leftBehind();
    const before = await readFile(file, "utf8");
    world.news();
    await expect(stage.up(program, { password: "wrong battery" })).rejects.toMatchObject({ code: "WRONG_PASSWORD" });
    expect(stage.heard("warning")).toEqual([]);
    expect(world.news()).toEqual([]);
    expect(await readFile(file, "utf8")).toBe(before);
  });

  test("in plain text is not used in a stage with a password, whichever program wrote it", async () => {
    const { world, stage, program, file, stateStore } = await leftBehind();
    const { digest: _digest, sealed, ...about } = JSON.parse(await readFile(file, "utf8"));
    const { app, stage: name, lineage, session, seq } = about;
    const bound = JSON.stringify([app, name, lineage, session, seq]);
    const results = JSON.parse(await unsealText({ password: PASSWORD }, sealed, bound));
    expect(JSON.stringify(results)).toContain("customer 17");
    const forged = `${digested(JSON.stringify({ ...about, results }, null, 1)).text}\n`;
    await writeFile(file, forged);
    const run = await stage.open();
    expect(stage.heard("warning")).toMatchObject([
      { code: "RECOVERY_LEFT", message: expect.stringMatching(/it is not encrypted.* Compare the changes/) },
    ]);
    const admin = stageAdmin(stateStore, { app: "app", stage: "dev", rootDir, password: PASSWORD });
    expect((await admin.verify()).findings).toMatchObject([
      { key: file, level: "damaged", problem: expect.stringContaining("it is not encrypted") },
    ]);
    await run.finalize({ noop: true });
    expect(await readFile(file, "utf8")).toBe(forged);
    world.news();
    // The run neither uses nor records the contents of the file.
    await stage.up(program);
    expect(world.news()).not.toEqual([]);
  });

  test.each([
    ["password", (options: ToolOptions<RotationOptions>): Promise<unknown> => rotatePassword("app", options)],
    ["key", (options: ToolOptions<RotationOptions>): Promise<unknown> => rekey("app", options)],
  ])("is recorded before another %s is made", async (_what, change) => {
    const { world, stage, program, stateStore } = await leftBehind();
    const password = NEW;
    await change(inStore(stateStore, { rootDir, password: PASSWORD, newPassword: password }));
    expect(await readdir(rootDir)).toEqual([]);
    world.news();
    await stage.up(program, { password });
    expect(stage.heard("warning")).toEqual([]);
    expect(world.news()).toEqual([]);
  });

  test("of another session, under this one's name, is not taken for it", async () => {
    const one = await leftBehind();
    const text = await readFile(one.file, "utf8");
    await rm(one.file);
    const { stage, program, file } = await leftBehind();
    const { sealed } = JSON.parse(text);
    const { digest: _digest, ...own } = JSON.parse(await readFile(file, "utf8"));
    await writeFile(file, `${digested(JSON.stringify({ ...own, sealed })).text}\n`);
    await stage.up(program);
    expect(stage.heard("warning")).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ code: "RECOVERY_LEFT" })]),
    );
  });
});
