import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { ledgerKeys } from "../../../core/state/index.js";
import { stageAdmin } from "../../../plugins/admin/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { collect } from "../../../plugins/testing/store/case.js";
import { rekey, rotatePassword } from "../../helpers/apps/admin-tools.ts";
import { inStore, PASSWORD, secretStage, textIn } from "../../helpers/apps/secret-stage.ts";
import { failuresOf, type Stage } from "../../helpers/apps/stage.ts";
import { World } from "../../helpers/apps/world.ts";

const NEW = "new horse";
const CIPHERTEXT = /(?<="\$secret":\[)"[^"]+","[^"]+"/g;

const world = new World();
const Thing = world.type({ replaceOn: ["name"] });

async function declare(stage: Stage, options = {}): Promise<void> {
  await stage.up(async (app) => {
    await app.set("token", new Secret("in data"));
    await Thing("a", { value: { deep: [new Secret("of a"), new Map([["k", new Secret("in a map")]])] } });
    await stage.engine.run("tenant", { password: "tenant's own" }, () => Thing("b", { value: new Secret("of b") }));
  }, options);
}

const declareTenant = (stage: Stage, password: string, options = {}) =>
  stage.up(() => stage.engine.run("tenant", { password }, () => Thing("b", { value: new Secret("of b") })), options);

/** A stage with the resources declared above, and the text of its store. */
async function declared() {
  const stage = secretStage();
  await declare(stage);
  return { stage, before: await textIn(stage.store) };
}

/** Rotates to another password for the stage, or to the given key. */
const rotated = (stage: Stage, given: object = {}): Promise<boolean> =>
  rotatePassword("app", inStore(stage.store, { password: PASSWORD, newPassword: NEW, ...given }));

const rekeyed = (stage: Stage, given: object = {}): Promise<number> =>
  rekey("app", inStore(stage.store, { password: PASSWORD, ...given }));

/** Keys of the entries of a journal. */
const entriesIn = (store: StateStore): Promise<string[]> => collect(store.list(ledgerKeys("app", "dev").entries));

describe("another password", () => {
  test("opens everything that the old one opened, which opens nothing any more", async () => {
    const { stage } = await declared();
    const before = (await textIn(stage.store)).match(CIPHERTEXT);
    world.news();
    expect(await rotated(stage)).toBe(true);
    expect(world.news()).toEqual([]);
    await expect(declare(stage)).rejects.toMatchObject({ code: "WRONG_PASSWORD" });
    await declare(stage, { password: NEW });
    expect(stage.summary).toEqual({ unchanged: 2 });
    expect(new Set((await textIn(stage.store)).match(CIPHERTEXT))).toEqual(new Set(before));
  });

  test("that is the present one is said to be, and nothing is written", async () => {
    const { stage, before } = await declared();
    await expect(rotated(stage, { newPassword: PASSWORD })).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining(
        'The new password of "app/dev" is the same as the current one, so nothing was changed',
      ),
    });
    expect(await textIn(stage.store)).toBe(before);
  });

  test("takes at most two small entries for two hundred secrets, on a store where each change is an entry", async () => {
    const store = memoryStore({ append: false });
    const stage = secretStage({ stateStore: store });
    await stage.up(() =>
      Promise.all(Array.from({ length: 200 }, (_, n) => Thing(`t${n}`, { value: new Secret(`value ${n}`) }))),
    );
    const before = await entriesIn(store);
    await rotated(stage);
    const after = (await entriesIn(store)).filter((key) => !before.includes(key));
    expect(before.length).toBeGreaterThan(0);
    expect(after.length).toBeLessThanOrEqual(2);
    const sizes = await Promise.all(after.map(async (key) => (await store.get(key))?.length ?? 0));
    expect(Math.max(...sizes)).toBeLessThan(2_000);
  }, 60_000);

  test("needs the present one", async () => {
    const { stage, before } = await declared();
    const refused = [
      [{ password: "wrong" }, "WRONG_PASSWORD"],
      [{ password: undefined }, "PASSWORD_REQUIRED"],
      [{ newPassword: "" }, "INVALID_OPTION"],
    ] as const;
    for (const [given, code] of refused) await expect(rotated(stage, given)).rejects.toMatchObject({ code });
    expect(await textIn(stage.store)).toBe(before);
  });

  test("of a stage that has no key, for nothing was ever recorded there, changes and writes nothing", async () => {
    const stage = secretStage();
    for (const _time of [1, 2]) {
      for (const change of [rotated, rekeyed]) {
        await expect(change(stage, { newPassword: NEW })).rejects.toMatchObject({ code: "NOT_RECORDED" });
      }
      expect(await textIn(stage.store)).toBe("");
      await stage.up(() => {});
    }
  });

  test("of a scope without secrets changes and writes nothing", async () => {
    const stage = secretStage();
    await stage.up(() => stage.engine.run("tenant", { password: "tenant's own" }, () => Thing("plain")));
    const before = await textIn(stage.store);
    const rotation = { scope: "tenant", scopePassword: "tenant's own", newPassword: NEW };
    for (const change of [rotated, rekeyed]) {
      await expect(change(stage, rotation)).rejects.toMatchObject({
        code: "NOT_RECORDED",
        message:
          '"app/dev/tenant" has no recorded secrets with a separate password or key. No scope of "app/dev" has them.',
      });
    }
    expect(await textIn(stage.store)).toBe(before);
  });

  test("of a scope takes its path or its FQN, and names the scopes that have one", async () => {
    const { stage } = await declared();
    const own = { scopePassword: "tenant's own" };
    await expect(rotated(stage, { ...own, scope: "tenat" })).rejects.toMatchObject({
      code: "NOT_RECORDED",
      message: expect.stringContaining('Scopes that have them: "tenant".'),
    });
    expect(await rotated(stage, { ...own, scope: "app/dev/tenant" })).toBe(true);
    const back = { scopePassword: NEW, newPassword: "tenant's own" };
    expect(await rotated(stage, { ...back, scope: "/tenant/" })).toBe(true);
  });

  test.each<[string, object, string]>([
    ["an unknown option", { newPasword: NEW }, 'no option "newPasword"'],
    ["what opens a scope, and no scope", { scopePassword: "x", newPassword: NEW }, "but not the scope"],
    [
      "two openers of a scope",
      { scope: "tenant", scopePassword: "x", scopeKey: "y", newPassword: NEW },
      "cannot be combined",
    ],
    ["a password that is no text", { newPassword: null }, '"newPassword" of rotate() must be a non-empty string'],
  ])("is refused with %s, and nothing is changed", async (_, given, message) => {
    const { stage, before } = await declared();
    const admin = stageAdmin(stage.store, { app: "app", stage: "dev", env: {}, password: PASSWORD });
    const refused = { code: "INVALID_OPTION", message: expect.stringContaining(message) };
    await expect(Reflect.apply(admin.rotate, admin, [given])).rejects.toMatchObject(refused);
    await admin.close();
    expect(await textIn(stage.store)).toBe(before);
  });

  test("ends with the signal of the admin, and changes nothing", async () => {
    const { stage, before } = await declared();
    const stop = new AbortController();
    const tool = { signal: stop.signal, newPassword: NEW };
    const changing = rotated(stage, tool);
    stop.abort(new Error("no time"));
    await expect(changing).rejects.toMatchObject({ code: "ABORTED" });
    await expect(rekeyed(stage, tool)).rejects.toMatchObject({ code: "ABORTED" });
    expect(await textIn(stage.store)).toBe(before);
  });

  test("of a stage without secrets opens its state: the old one does not any more", async () => {
    for (const change of [rotated, rekeyed]) {
      const stage = secretStage();
      await stage.up(() => Thing("plain"));
      const keyOf = async () => (await textIn(stage.store)).match(/(?<="key":"\/","value":\{"id":")[^"]+/g)?.at(-1);
      const before = await keyOf();
      expect(before).toBeDefined();
      const { length } = await entriesIn(stage.store);
      expect(await change(stage, { newPassword: NEW })).toBe(change === rekeyed ? 0 : true);
      expect(await entriesIn(stage.store)).toHaveLength(length + 1);
      expect((await keyOf()) === before).toBe(change === rotated);
      await expect(stage.open()).rejects.toMatchObject({ code: "WRONG_PASSWORD" });
      await stage.up(() => Thing("plain"), { password: NEW });
      expect([stage.summary, stage.heard("warning")]).toEqual([{ unchanged: 1 }, []]);
    }
  });

  test("may be that of a scope with a password of its own, beside the one that seals the state", async () => {
    const { stage, before } = await declared();
    const scope = "tenant";
    const own = { scopePassword: "tenant's own" };
    for (const given of [{ password: "tenant's own" }, { ...own, password: undefined }]) {
      await expect(rotated(stage, { scope, ...given })).rejects.toMatchObject({ code: "PASSWORD_REQUIRED" });
    }
    for (const given of [{ scopePassword: "wrong" }, { ...own, password: "wrong" }]) {
      await expect(rotated(stage, { scope, ...given })).rejects.toMatchObject({ code: "WRONG_PASSWORD" });
    }
    expect(await textIn(stage.store)).toBe(before);
    expect(await rotated(stage, { scope, ...own })).toBe(true);
    expect(await failuresOf(declare(stage))).toMatchObject([{ code: "WRONG_PASSWORD", fqn: "app/dev/tenant" }]);
    await declareTenant(stage, NEW, { destroyOrphans: false });
    expect(stage.summary).toMatchObject({ unchanged: 1 });
  });

  test("of a scope needs that alone where the state has no key", async () => {
    const stage = secretStage({ password: undefined });
    await declareTenant(stage, "tenant's own");
    expect(await rotated(stage, { scope: "tenant", password: "tenant's own" })).toBe(true);
    await declareTenant(stage, NEW);
    expect(stage.summary).toEqual({ unchanged: 1 });
    expect(await failuresOf(declareTenant(stage, "tenant's own"))).toMatchObject([
      { code: "WRONG_PASSWORD", fqn: "app/dev/tenant" },
    ]);
  });

  test("waits its turn: while another run is at work it changes nothing", async () => {
    const { stage } = await declared();
    const app = await stage.open();
    await app.run((scope) => scope.set("busy", 1));
    await app.run((scope) => scope.set("busy", 2));
    await expect(rotated(stage)).rejects.toMatchObject({ code: "STATE_LOCKED" });
    await app.finalize({ noop: true });
    expect(await rotated(stage)).toBe(true);
  });

  test("is noticed by a run that had loaded the state before: it writes nothing under a key that is gone", async () => {
    const { stage } = await declared();
    const late = await stage.open();
    await rekeyed(stage);
    const declaring = late.run(() => Thing("late", { value: new Secret("of a late one") }));
    await expect(declaring).rejects.toMatchObject({ code: "STATE_MOVED" });
    await expect(late.finalize()).rejects.toThrow();
    await declare(stage);
    expect(stage.summary).toEqual({ unchanged: 2 });
  });
});

describe("another key", () => {
  test("re-encrypts everything, in one entry, and changes nothing else", async () => {
    const { stage } = await declared();
    const before = new Set((await textIn(stage.store)).match(CIPHERTEXT));
    world.news();
    // Two in props and two in the output of "a", one in data; those of the tenant use another key.
    expect(await rekeyed(stage)).toBe(5);
    const { length } = await entriesIn(stage.store);
    await declare(stage);
    expect(world.news()).toEqual([]);
    expect(stage.summary).toEqual({ unchanged: 2 });
    expect(await entriesIn(stage.store)).toHaveLength(length);
    const newest = [...(await textIn(stage.store)).matchAll(CIPHERTEXT)].map(([one]) => one);
    expect(newest.filter((one) => !before.has(one)).length).toBeGreaterThanOrEqual(5);
  });

  test("may come with another password", async () => {
    const { stage } = await declared();
    await rekeyed(stage, { newPassword: NEW });
    await expect(declare(stage)).rejects.toMatchObject({ code: "WRONG_PASSWORD", fqn: "app/dev" });
    await declare(stage, { password: NEW });
    expect(stage.summary).toEqual({ unchanged: 2 });
  });

  test("reaches old copies that wait for their deletion, and the props of an update that failed", async () => {
    const stage = secretStage();
    const value = (text: string) => ({ value: new Secret(text) });
    await stage.up(() => Promise.all([Thing("old", { ...value("one"), name: "x" }), Thing("fails", value("one"))]));
    world.fails("delete old");
    world.fails("update fails");
    const next = () => Promise.allSettled([Thing("old", { ...value("two"), name: "y" }), Thing("fails", value("two"))]);
    await failuresOf(stage.up(next));
    world.fails("delete old");
    await rekeyed(stage);
    world.calm();
    await stage.up(next);
    await stage.up(next);
    expect(stage.summary).toEqual({ unchanged: 2 });
    expect([...world.things.values()].filter(({ fqn }) => fqn.endsWith("/old"))).toHaveLength(1);
  });

  test("leaves the token of an update that failed", async () => {
    const stage = secretStage();
    const program = (size: number) => stage.up(() => Thing("a", { value: { password: new Secret("stays"), size } }));
    await program(1);
    const tokens: string[] = [];
    world.on("update a", ({ token }) => {
      tokens.push(token);
      throw new Error("not now");
    });
    await failuresOf(program(2));
    // In the props before and after the update, which are the same, and in the output.
    expect(await rekeyed(stage)).toBe(2);
    await failuresOf(program(2));
    expect(tokens[1]).toBe(tokens[0]);
    world.calm();
    await program(2);
    await program(2);
    expect(stage.summary).toEqual({ unchanged: 1 });
  });
});
