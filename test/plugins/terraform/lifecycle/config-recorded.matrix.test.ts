/** The place where a provider's configuration is recorded, and the password that seals it. */
import { describe, expect, test } from "vitest";
import { type Scope, scopeOwner } from "../../../../core/contract/index.js";
import { Resource } from "../../../../core/resource/index.js";
import { appOf } from "../../../../core/run/index.js";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { fixtureDefinition } from "./fixture-definition.ts";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();

describe("the configuration of a provider in a scope with a password of its own", () => {
  const KEY = "terraform:provider:tenants/fixture";
  const scoped = async () => {
    const all = await made();
    const { stage, fixture } = all;
    const program = (name: string, size = 1, password = "the tenants'") =>
      stage.engine.run("tenants", { password }, async () => {
        await fixture({ token: new Secret("canary-token") }).thing!("one", { name, size });
      });
    const dataOf = (app: Scope, path: string) => appOf(app).ledger.contents.data.get(scopeOwner(path))?.get(KEY);
    return { ...all, program, dataOf };
  };

  test("deletes what was made with it for a run that has the passwords of both", async () => {
    const { stage, program, world } = await scoped();
    await stage.up(() => program("a"));
    await stage.up(() => stage.engine.run("tenants", { password: "the tenants'" }, async () => {}));
    expect(world.all("fixture_thing")).toEqual([]);
  });

  test("that was recorded with the key of the app is moved with the next change", async () => {
    const { stage, program, dataOf, world } = await scoped();
    await stage.up(() => program("a"));
    await stage.up(async (app) => {
      const props = { source: fixtureDefinition.source, key: "tenants/fixture" };
      await app.set(KEY, { ...props, config: { token: new Secret("canary-token") } });
      await stage.engine.run("tenants", { password: "the tenants'" }, (tenants) => tenants.delete(KEY));
      await program("a");
    });
    expect(stage.summary).toEqual({ unchanged: 2 });
    const app = await stage.up(() => program("a", 2));
    expect([dataOf(app, ""), dataOf(app, "tenants")]).toEqual([undefined, expect.anything()]);
    await stage.up(() => stage.engine.run("tenants", { password: "the tenants'" }, async () => {}));
    expect(world.all("fixture_thing")).toEqual([]);
  });

  test("deletes what was made with it after its scope got another name", async () => {
    const { stage, fixture, world } = await scoped();
    const inScope = (name: string, options: object, fn: () => unknown) =>
      stage.engine.run(name, { password: "the tenants'", ...options }, async () => void (await fn()));
    await stage.up(() => inScope("old", {}, () => fixture({ token: "canary" }).thing!("one", { name: "a" })));
    await stage.up(() => inScope("new", { aliases: ["old"] }, () => {}));
    expect(world.all("fixture_thing")).toEqual([]);
  });

  test("deletes what was made with it after the resource around it got another name", async () => {
    const { stage, fixture, world } = await made();
    const Around = Resource<object, { readonly size: number }>("test:Around", {
      create: async ({ props: { size } }) => {
        const { thing } = fixture({ token: "canary" });
        await thing!("kept", { name: "kept" });
        if (size === 1) await thing!("one", { name: "a" });
        return {};
      },
      update: async ({ props: { size } }) => {
        const { thing } = fixture({ token: "canary" });
        await thing!("kept", { name: "kept", size });
        return {};
      },
    });
    await stage.up(() => Around("old", { size: 1 }));
    expect(world.all("fixture_thing")).toHaveLength(2);
    await stage.up(() => Around("new", { size: 2 }, { aliases: ["old"] }));
    expect(world.all("fixture_thing")).toHaveLength(1);
    await stage.up(() => {});
    expect(world.all("fixture_thing")).toEqual([]);
  });
});
