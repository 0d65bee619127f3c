import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { lock, TAG } from "../../../plugins/secrets/envelope.js";
import { Keyring } from "../../../plugins/secrets/keyring.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { derivationsIn } from "../../helpers/apps/derivations.ts";
import { COST, PASSWORD, secretStage, secretWorld, textIn } from "../../helpers/apps/secret-stage.ts";
import { failuresOf, recordsOf, Stage } from "../../helpers/apps/stage.ts";
import { World } from "../../helpers/apps/world.ts";
import { rewriteState } from "../../helpers/stores/rewrite-state.ts";

const WRONG = "wrong battery";

describe("a scope with a password of its own", () => {
  const inTenant = (stage: ReturnType<typeof secretStage>, password: string | undefined, fn: () => unknown) =>
    stage.engine.run("tenant", password === undefined ? {} : { password }, async () => fn());

  test("has a key of its own: each password opens its own part and nothing else", async () => {
    const { world, Thing, stage } = secretWorld();
    const program = async (password = "tenant's own") => {
      await Thing("a", { value: new Secret("of the app") });
      await inTenant(stage, password, () => Thing("b", { value: new Secret("of the tenant") }));
    };
    const app = await stage.up(() => program());
    const keys = recordsOf(app).map(({ props }) => JSON.stringify(props).match(/\$secret":\["([^"]+)/)?.[1]);
    expect(new Set(keys).size).toBe(2);
    await stage.up(() => program());
    expect(stage.summary).toEqual({ unchanged: 2 });
    world.news();
    expect(await failuresOf(stage.up(() => program(WRONG)))).toMatchObject([
      { code: "WRONG_PASSWORD", fqn: "app/dev/tenant" },
    ]);
    expect(world.news()).toEqual([]);
  });

  test("keeps what it holds from being deleted by a run that does not know its password", async () => {
    const { world, Thing, stage } = secretWorld();
    await stage.up(() => inTenant(stage, "tenant's own", () => Thing("b", { value: new Secret("of the tenant") })));
    const [error] = await failuresOf(stage.up(() => {}));
    expect(error).toMatchObject({ code: "PASSWORD_REQUIRED", fqn: "app/dev/tenant/b" });
    expect(Object(error).message).toContain('scope "tenant"');
    expect(world.names).toEqual(["b#1"]);
    await stage.up(() => inTenant(stage, "tenant's own", () => {}));
    expect(world.names).toEqual([]);
  });

  test("is not asked for it by a run that touches no secret of it and changes nothing", async () => {
    const { Thing, stage } = secretWorld();
    const secret = () => Thing("b", { value: new Secret("hidden") });
    await stage.up(() => inTenant(stage, "tenant's own", () => Promise.all([Thing("plain"), secret()])));
    const wrong = "a wrong one of this test alone, for the tenant";
    const looking = () => inTenant(stage, wrong, () => Thing("plain"));
    expect(await derivationsIn(() => stage.up(looking, { destroyOrphans: false }))).toBe(0);
    expect(stage.summary).toMatchObject({ unchanged: 1 });
    const changing = () => inTenant(stage, wrong, () => Thing("plain", { value: 2 }));
    expect(await failuresOf(stage.up(changing, { destroyOrphans: false }))).toMatchObject([
      { code: "WRONG_PASSWORD", fqn: "app/dev/tenant" },
    ]);
  });

  test("that is its parent's shares its key; one that it gets later re-encrypts what is declared in it", async () => {
    const { Thing, stage } = secretWorld();
    const declared = () => Thing("b", { value: new Secret("hidden") });
    await stage.up(() => inTenant(stage, PASSWORD, declared));
    await stage.up(() => inTenant(stage, undefined, declared));
    expect(stage.summary).toEqual({ unchanged: 1 });
    await stage.up(() => inTenant(stage, "tenant's own", declared));
    expect(stage.summary).toEqual({ updated: 1 });
    await stage.up(() => inTenant(stage, "tenant's own", declared), { password: undefined });
    expect(stage.summary).toEqual({ unchanged: 1 });
  });
});

const TENANT = "the tenant's own";

/** An attacker who knows the password of a tenant, but not the other passwords. */
const forging = definePlugin({
  name: "forging",
  apply: ({ hooks }) =>
    hooks.stateLoaded.tapPromise("forging", async ({ keep, rewrite }) => {
      const keyring = new Keyring(keep("secrets"), COST);
      const key = await keyring.current({ path: "/tenant", fqn: "app/dev/tenant", opener: { password: TENANT } });
      await rewrite(TAG, (value) => lock(key, { value: "forged", name: "x" }, value));
    }),
});

test("the password of one scope makes no secrets that another one accepts", async () => {
  const Thing = new World().type();
  const stage = secretStage();
  const seen: unknown[] = [];
  const read = (id: string) => async () => void seen.push(Secret.unwrap((await Thing(id, {})).value));
  const inTenant = (fn: () => unknown) => stage.engine.run("tenant", { password: TENANT }, async () => fn());
  await stage.up(async () => {
    await Thing("a", { value: new Secret("of the app") });
    await stage.engine.run("tenants", () => Thing("b", { value: new Secret("of the app") }));
    await inTenant(() => Thing("c", { value: new Secret("of the tenant") }));
  });
  const before = await textIn(stage.store);
  const bare = new Stage({ stateStore: stage.store });
  await expect(bare.up(() => {}, { plugins: [forging], destroyOrphans: false })).rejects.toMatchObject({
    code: "PASSWORD_REQUIRED",
  });
  expect(await textIn(stage.store)).toBe(before);
  // With the key of the state the forged run succeeds; without it, an attacker can only write to the store itself.
  await stage.up(() => {}, { plugins: [forging], destroyOrphans: false });
  const unsealed = memoryStore();
  await rewriteState(stage.store, unsealed, (text) => text);
  const reading = stage.up(() => inTenant(read("c")), { phase: "read", stateStore: unsealed });
  await expect(reading).rejects.toMatchObject({ code: "STATE_FORGED" });
  await stage.up(() => inTenant(read("c")), { phase: "read" });
  // By then, the tenant's key is decrypted.
  const after = (fn: () => unknown) => stage.up(() => inTenant(() => {}).then(fn), { phase: "read" });
  expect(await failuresOf(after(read("a")))).toMatchObject([{ code: "STATE_CORRUPT", fqn: "app/dev/a" }]);
  const other = after(() => stage.engine.run("tenants", read("b")));
  expect(await failuresOf(other)).toMatchObject([{ code: "STATE_CORRUPT", fqn: "app/dev/tenants/b" }]);
  expect(seen).toEqual(["forged"]);
});
