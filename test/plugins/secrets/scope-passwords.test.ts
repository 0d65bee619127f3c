import { describe, expect, test } from "vitest";
import { appOf } from "../../../core/run/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { derivationsIn } from "../../helpers/apps/derivations.ts";
import { PASSWORD, type secretStage, secretWorld } from "../../helpers/apps/secret-stage.ts";
import { failuresOf, recordsOf } from "../../helpers/apps/stage.ts";

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
    expect(stage.summary).toEqual({ skipped: 2 });
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
    expect(stage.summary).toMatchObject({ skipped: 1 });
    const changing = () => inTenant(stage, wrong, () => Thing("plain", { value: 2 }));
    expect(await failuresOf(stage.up(changing, { destroyOrphans: false }))).toMatchObject([
      { code: "WRONG_PASSWORD", fqn: "app/dev/tenant" },
    ]);
  });

  test("that holds no secret has no key of its own", async () => {
    const { Thing, stage } = secretWorld();
    const app = await stage.up(() => inTenant(stage, "tenant's own", () => Thing("plain")));
    expect([...(appOf(app).ledger.contents.data.get("$secrets")?.keys() ?? [])]).toEqual(["/"]);
  });

  test("that is its parent's shares its key; one that it gets later encrypts anew what is declared in it", async () => {
    const { Thing, stage } = secretWorld();
    const declared = () => Thing("b", { value: new Secret("hidden") });
    await stage.up(() => inTenant(stage, PASSWORD, declared));
    await stage.up(() => inTenant(stage, undefined, declared));
    expect(stage.summary).toEqual({ skipped: 1 });
    await stage.up(() => inTenant(stage, "tenant's own", declared));
    expect(stage.summary).toEqual({ updated: 1 });
    await stage.up(() => inTenant(stage, "tenant's own", declared), { password: undefined });
    expect(stage.summary).toEqual({ skipped: 1 });
  });
});
