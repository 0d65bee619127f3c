/** Secrets in the data of scopes and resources. */
import { describe, expect, test } from "vitest";
import { type Scope as AppScope, Scope } from "../../../core/contract/index.js";
import { isSecret, Secret } from "../../../plugins/secrets/secret.js";
import { secretStage, textIn } from "../../helpers/apps/secret-stage.ts";
import { failuresOf } from "../../helpers/apps/stage.ts";

async function read(scope: AppScope, key = "k"): Promise<unknown> {
  return Secret.unwrap(await scope.get(key));
}

describe("a secret that is set", () => {
  test("before engine() has resolved is recorded, and the same one is not written twice", async () => {
    const stage = secretStage();
    await stage.up((app) => app.set("k", new Secret("first")));
    for (const value of ["first", "second"]) {
      const before = await textIn(stage.store);
      const opening = stage.open();
      const setting = Scope.current.set("k", new Secret(value));
      const app = await opening;
      await setting;
      expect(await read(app)).toBe(value);
      await app.finalize();
      expect((await textIn(stage.store)) === before).toBe(value === "first");
    }
  });

  test.each<[string, (app: AppScope) => Promise<unknown>, unknown]>([
    ["is replaced by the plain value that is set after it", (app) => app.set("k", "plain"), "plain"],
    ["is replaced by the secret that is set after it", (app) => app.set("k", new Secret("other")), "other"],
    ["is gone where it is deleted after it", (app) => app.delete("k"), undefined],
    ["is what is read after it", (app) => app.get("k"), "secret"],
  ])("%s, although its key takes time", async (_what, then, value) => {
    const stage = secretStage();
    const app = await stage.open();
    const [, got] = await Promise.all([app.set("k", new Secret("secret")), then(app)]);
    if (value === "secret") expect(Secret.unwrap(got)).toBe("secret");
    expect(await read(app)).toBe(value);
    await app.finalize();
  });

  test("and not awaited is recorded before the run ends", async () => {
    const stage = secretStage();
    const app = await stage.open();
    const setting = app.set("k", new Secret("secret"));
    await app.finalize();
    await setting;
    await stage.up(async (next) => expect(await read(next)).toBe("secret"));
  });

  test("where nothing is recorded, in the phases read and destroy, needs no password", async () => {
    const bare = secretStage({ password: undefined });
    await bare.up((app) => app.set("k", "plain"));
    const setting = (app: AppScope) => app.set("k", new Secret("hidden"));
    expect(await failuresOf(bare.up(setting, { phase: "read" }))).toMatchObject([{ code: "READ_ONLY" }]);
    await bare.up(setting, { phase: "destroy" });
  });

  test("where nothing is recorded of a stage that has a password needs it to destroy, and not to read", async () => {
    const stage = secretStage();
    await stage.up((app) => app.set("k", "plain"));
    const before = await textIn(stage.store);
    const bare = secretStage({ stateStore: stage.store, password: undefined });
    const setting = (app: AppScope) => app.set("k", new Secret("hidden"));
    expect(await failuresOf(bare.up(setting, { phase: "read" }))).toMatchObject([{ code: "READ_ONLY" }]);
    await expect(bare.up(setting, { phase: "destroy" })).rejects.toMatchObject({ code: "PASSWORD_REQUIRED" });
    expect(await textIn(stage.store)).toBe(before);
    await stage.up(setting, { phase: "destroy" });
  });

  test("in a scope with a password of its own is read by that scope in a later run of the app", async () => {
    const stage = secretStage({ password: undefined });
    const app = await stage.open();
    const tenant = await app.run(() =>
      stage.engine.run("tenant", { password: "of the tenant" }, async (scope) => scope),
    );
    await tenant.set("k", new Secret("hidden"));
    await app.finalize();
    await tenant.run(async () => expect(await read(tenant)).toBe("hidden"));
    await app.finalize();
  });
});

test("a secret that is not awaited is recorded although the run is left without finalize", async () => {
  const stage = secretStage();
  const app = await stage.open();
  void app.set("token", new Secret("of the program"));
  await app[Symbol.asyncDispose]();
  const read: unknown[] = [];
  await stage.up(async (again) => void read.push(await again.get("token")));
  expect(read.map((value) => isSecret(value) && value.unencrypted)).toEqual(["of the program"]);
});
