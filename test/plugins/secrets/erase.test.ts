import { describe, expect, test } from "vitest";
import { Secret } from "../../../plugins/secrets/secret.js";
import { secretWorld, textIn } from "../../helpers/secret-stage.ts";

const WRONG = "wrong battery";

describe("erasing secrets", () => {
  test("needs force", async () => {
    const { stage } = secretWorld();
    await expect(stage.open({ eraseSecrets: true })).rejects.toMatchObject({ code: "ERASE_REQUIRES_FORCE" });
  });

  test("after a lost password makes them undefined, and encrypts those of the program by a new key", async () => {
    const { world, Thing, stage } = secretWorld();
    const program = async (scope: { set(key: string, value: unknown): Promise<void> }) => {
      await scope.set("token", new Secret("in data"));
      await Thing("a", { value: new Secret("hidden") });
    };
    await stage.up(async (app) => {
      await program(app);
      await app.set("old", new Secret("never set again"));
    });
    const seen: unknown[] = [];
    world.on("update a", (context) => void seen.push(context.output));
    const next = { password: "a new one", eraseSecrets: true, force: true };
    await stage.up(program, next);
    expect(seen).toMatchObject([{ thing: "a#1", value: undefined }]);
    expect(stage.summary).toEqual({ updated: 1 });
    let old: unknown = "?";
    await stage.up(
      async (app) => {
        await program(app);
        old = await app.get("old");
      },
      { password: "a new one" },
    );
    expect(stage.summary).toEqual({ skipped: 1 });
    expect(old).toBeUndefined();
  });

  test("takes one entry, before anything else is done, and none where there is nothing to erase", async () => {
    const { Thing, stage } = secretWorld();
    await stage.up(() => Thing("plain"));
    const before = await textIn(stage.store);
    await stage.up(() => {}, { eraseSecrets: true, force: true, destroyOrphans: false });
    expect(await textIn(stage.store)).toBe(before);
  });

  test("is done once: what a later run of the app finds recorded stays", async () => {
    const { world, Thing, stage } = secretWorld();
    const program = () => Thing("a", { value: new Secret("hidden") });
    await stage.up(program);
    const app = await stage.up(program, { password: "a new one", eraseSecrets: true, force: true });
    world.news();
    await app.run(async () => {});
    await app.finalize({ noop: true });
    await stage.up(program, { password: "a new one" });
    expect(world.news()).toEqual([]);
    expect(stage.summary).toEqual({ skipped: 1 });
  });

  test("lets orphans go whose secrets nobody can read", async () => {
    const { world, Thing, stage } = secretWorld();
    await stage.up(() => Thing("a", { value: new Secret("hidden") }));
    await stage.up(() => {}, { password: undefined, eraseSecrets: true, force: true });
    expect(world.names).toEqual([]);
  });

  test("in the read phase reads them as undefined, and writes nothing", async () => {
    const { Thing, stage } = secretWorld();
    await stage.up(() => Thing("a", { value: new Secret("hidden") }));
    const before = await textIn(stage.store);
    let output: unknown;
    const options = { phase: "read", password: WRONG, eraseSecrets: true, force: true } as const;
    await stage.up(async () => (output = await Thing("a", {})), options);
    expect(output).toEqual({ thing: "a#1", value: undefined });
    expect(await textIn(stage.store)).toBe(before);
  });
});
