import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { EngineOptions } from "../../../core/contract/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { cwd as folder, folderEach } from "../../e2e/own-folder.ts";
import { PASSWORD, secretWorld } from "../../helpers/apps/secret-stage.ts";
import { failuresOf } from "../../helpers/apps/stage.ts";

const HIDDEN = "tuesday-afternoon";

folderEach("plans");

function setUp() {
  const { world, Thing, stage } = secretWorld();
  const plan = (program: () => unknown, options: EngineOptions = {}) =>
    stage.engine.plan(
      "app",
      { stage: "dev", argv: [], env: {}, stateStore: stage.store, password: PASSWORD, ...options },
      program,
    );
  return { world, Thing, stage, plan };
}

describe("the plan file of a sealed stage", () => {
  const secret = new Secret(HIDDEN, "db");

  /** A sealed stage, and a program that changes and deletes some of it. */
  async function sealedStage() {
    const made = setUp();
    const { Thing, stage, world } = made;
    await stage.up(() => Promise.all([Thing("a", { value: secret }), Thing("b"), Thing("c")]));
    world.news();
    return { ...made, program: () => Promise.all([Thing("a", { value: secret, name: "new" }), Thing("b")]) };
  }

  test("is applied as it was made", async () => {
    const { stage, plan, program } = await sealedStage();
    const planFile = join(folder, "sealed.json");
    await plan(program, { planOut: planFile });
    await stage.up(program, { planFile });
    expect(stage.summary).toEqual({ updated: 1, deleted: 1, unchanged: 1 });
  });

  test.each([
    ["that was changed without the key is refused", (file: object) => ({ ...file, kept: [{ fqn: "x", reason: "y" }] })],
    ["whose seal was taken away is refused", ({ mac: _, ...file }: { readonly mac?: string }) => file],
    ["whose seal is another text's is refused", (file: object) => ({ ...file, mac: "0".repeat(64) })],
  ])("%s, and nothing is done", async (_title, change) => {
    const { stage, plan, program, world } = await sealedStage();
    const planFile = join(folder, "changed.json");
    await plan(program, { planOut: planFile });
    await writeFile(planFile, JSON.stringify(change(JSON.parse(await readFile(planFile, "utf8")))));
    world.news();
    await expect(stage.up(program, { planFile })).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining("Nothing was done."),
    });
    expect(world.calls).toEqual([]);
  });
});

describe("a secret in a plan", () => {
  test("is masked, whether it is new, changed, or in the way of a text", async () => {
    const { Thing, stage, plan } = setUp();
    const program = (value: string) => async () => {
      await Thing("a", { value: { secret: new Secret(value, "db"), text: `//user:${value}@host/${"x".repeat(300)}` } });
    };
    const created = await plan(program(HIDDEN));
    await stage.up(program(HIDDEN));
    const other = `${HIDDEN}-two`;
    const changed = await plan(program(other));
    for (const made of [created, changed]) expect(JSON.stringify(made)).not.toContain(HIDDEN);
    expect(changed.actions[0]?.changes[0]).toEqual({ path: "/value/secret", old: "Secret(db)", new: "Secret(db)" });
    expect(changed.actions[0]?.changes[1]?.path).toBe("/value/text");
  });

  test("that is the same is not a change", async () => {
    const { Thing, stage, plan } = setUp();
    const program = () => Thing("a", { value: new Secret(HIDDEN, "db") });
    await stage.up(program);
    expect(await plan(program)).toMatchObject({ actions: [], counts: { unchanged: 1 } });
  });

  test("is not in the file of a plan, which can be applied all the same", async () => {
    const { Thing, stage, plan } = setUp();
    const planOut = join(folder, "plan.json");
    const program = () => Thing("a", { value: new Secret(HIDDEN, "db") });
    await plan(program, { planOut });
    expect(await readFile(planOut, "utf8")).not.toContain(HIDDEN);
    await stage.up(program, { planFile: planOut });
    expect(stage.summary).toEqual({ created: 1 });
  });

  test("needs the password, and a wrong one is reported before the plan is made", async () => {
    const { Thing, stage, plan } = setUp();
    await stage.up(() => Thing("a", { value: new Secret(HIDDEN, "db") }));
    const made = plan(() => Thing("a", { value: new Secret(HIDDEN, "db") }), { password: "wrong" });
    await expect(made).rejects.toMatchObject({ code: "WRONG_PASSWORD" });
    const without = plan(() => Thing("a", { value: new Secret(HIDDEN, "db") }), { password: undefined });
    await expect(without).rejects.toMatchObject({ errors: [{ code: "PASSWORD_REQUIRED", fqn: "app/dev/a" }] });
  });

  test("needs no password where it touches none: a plan of a sealed state is made with a warning, and not applied", async () => {
    const { world, Thing, stage, plan } = setUp();
    const planOut = join(folder, "unverified.json");
    await stage.up(() => Thing("plain"));
    world.news();
    const program = () => Thing("plain", { value: 2 });
    const bare = { password: undefined } as const;
    const warnings: string[] = [];
    const listening = definePlugin({
      name: "listening",
      apply: ({ events }) => events.on("warning", ({ code }) => warnings.push(code)),
    });
    const { actions } = await plan(program, { ...bare, planOut, plugins: [listening] });
    expect(actions).toMatchObject([{ action: "update", fqn: "app/dev/plain" }]);
    expect(warnings).toEqual(["UNVERIFIED"]);
    expect(await failuresOf(stage.up(program, { ...bare, planFile: planOut }))).toMatchObject([
      { code: "PASSWORD_REQUIRED" },
    ]);
    expect(world.news()).toEqual([]);
    await expect(stage.up(program, { planFile: planOut })).rejects.toThrow("has no seal, but the stage is sealed");
    expect(world.news()).toEqual([]);
  });
});
