import { describe, expect, test } from "vitest";
import type { StateStore } from "../../../core/contract/index.js";
import { ledgerKeys } from "../../../core/state/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { collect } from "../../../plugins/testing/store/case.js";
import { secretStage, secretWorld, textIn } from "../../helpers/apps/secret-stage.ts";

const WRONG = "wrong battery";

/** The journal, line by line. */
async function linesIn(store: StateStore): Promise<string[]> {
  const keys = await collect(store.list(ledgerKeys("app", "dev").entries));
  const texts = await Promise.all(keys.sort().map((key) => store.get(key)));
  return texts.flatMap((text) => text?.trimEnd().split("\n") ?? []);
}

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
    expect(stage.summary).toEqual({ unchanged: 1 });
    expect(old).toBeUndefined();
  });

  test("takes one line of the journal, which brings the new key, before anything else is done", async () => {
    const { world, Thing, stage } = secretWorld();
    const program = () => Promise.all([Thing("a", { value: new Secret("hidden") }), Thing("plain")]);
    await stage.up(program);
    const before = await linesIn(stage.store);
    world.news();
    let first = "";
    world.on("update a", async () => {
      first = (await linesIn(stage.store))[before.length] ?? "";
    });
    await stage.up(program, { password: "a new one", eraseSecrets: true, force: true });
    const { ops, vouches, mac } = JSON.parse(first);
    expect(ops).toMatchObject([
      { op: "data", owner: "$secrets", key: "/" },
      { op: "data", owner: "$secrets", key: "/", value: { wrapped: expect.any(String) } },
      { op: "patch", set: { props: { value: { $undefined: true } }, output: { value: { $undefined: true } } } },
    ]);
    expect([vouches, mac]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(stage.heard("warning").map(({ code }) => code)).toEqual(["UNVERIFIED"]);
  });

  test("of a sealed state that has none brings a new key all the same: the old one opens nothing any more", async () => {
    const { world, Thing, stage } = secretWorld();
    const program = () => Thing("plain");
    await stage.up(program);
    const before = await linesIn(stage.store);
    world.news();
    const erasing = { eraseSecrets: true, force: true, destroyOrphans: false };
    await stage.up(() => {}, { password: "a new one", ...erasing });
    const [brought, closed, ...more] = (await linesIn(stage.store))
      .slice(before.length)
      .map((line) => JSON.parse(line));
    expect(brought.ops.map(({ owner }: { owner: string }) => owner)).toEqual(["$secrets", "$secrets"]);
    expect(brought.vouches).toBeDefined();
    expect(closed.close).toBeDefined();
    expect(more).toEqual([]);
    await expect(stage.up(program)).rejects.toMatchObject({ code: "WRONG_PASSWORD" });
    await stage.up(program, { password: "a new one" });
    expect(stage.summary).toEqual({ unchanged: 1 });
    expect(world.news()).toEqual([]);
  });

  test("writes nothing where there is nothing to erase, and no key", async () => {
    const { Thing } = secretWorld();
    const stage = secretStage({ password: undefined });
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
    expect(stage.summary).toEqual({ unchanged: 1 });
  });

  test("deletes orphans whose secrets cannot be read", async () => {
    const { world, Thing, stage } = secretWorld();
    await stage.up(() => Thing("a", { value: new Secret("hidden") }));
    await stage.up(() => {}, { password: "a new one", eraseSecrets: true, force: true });
    expect(world.names).toEqual([]);
  });

  test("needs another password or key: without one, nothing that is sealed is changed", async () => {
    const { world, Thing, stage } = secretWorld();
    await stage.up(() => Thing("a", { value: new Secret("hidden") }));
    const before = await textIn(stage.store);
    world.news();
    const bare = { password: undefined, eraseSecrets: true, force: true } as const;
    for (const phase of ["up", "destroy"] as const) {
      await expect(stage.up(() => {}, { ...bare, phase })).rejects.toMatchObject({ code: "PASSWORD_REQUIRED" });
    }
    expect(world.news()).toEqual([]);
    expect(await textIn(stage.store)).toBe(before);
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
