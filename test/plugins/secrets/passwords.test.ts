import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { EngineOptions, Scope } from "../../../core/contract/index.js";
import { ledgerKeys } from "../../../core/state/index.js";
import { secrets } from "../../../plugins/secrets/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { derivationsIn } from "../../helpers/apps/derivations.ts";
import { PASSWORD, secretStage, secretWorld, textIn } from "../../helpers/apps/secret-stage.ts";
import { failuresOf } from "../../helpers/apps/stage.ts";
import { rewriteState } from "../../helpers/stores/rewrite-state.ts";

const WRONG = "wrong battery";

describe("a wrong password", () => {
  test("is found before any handler is called and anything is written, also where no secret is touched", async () => {
    const { world, Thing, stage } = secretWorld();
    const secret = () => Thing("secret", { value: new Secret("hidden") });
    await stage.up(() => Promise.all([secret(), Thing("plain")]));
    const before = await textIn(stage.store);
    world.news();
    const programs = [
      () => Promise.all([secret(), Thing("plain")]),
      () => Thing("plain", { value: 2 }),
      () => Thing("new"),
      async () => stage.engine.run("child", (scope) => scope.set("a", 1)),
      () => {},
    ];
    for (const program of programs) {
      await expect(stage.up(program, { password: WRONG })).rejects.toMatchObject({ code: "WRONG_PASSWORD" });
      expect(world.news()).toEqual([]);
      expect(await textIn(stage.store)).toBe(before);
    }
    for (const phase of ["up", "read", "destroy"] as const) {
      await expect(stage.open({ password: WRONG, phase })).rejects.toMatchObject({ code: "WRONG_PASSWORD" });
      expect(world.news()).toEqual([]);
      expect(await textIn(stage.store)).toBe(before);
    }
  });

  test("names the app and the way out, and does not show the password", async () => {
    const { Thing, stage } = secretWorld();
    await stage.up(() => Thing("a", { value: new Secret("hidden") }));
    const error: unknown = await stage.open({ password: WRONG }).catch((thrown) => thrown);
    const { code, message, fqn } = Object(error);
    expect([code, fqn]).toEqual(["WRONG_PASSWORD", "app/dev"]);
    expect(message).toContain('"app/dev"');
    expect(message).toContain("eraseSecrets");
    expect(message).not.toContain(WRONG);
  });

  test("is found in a stage without secrets as well, by one derivation, and by a run that changes nothing", async () => {
    const { world, Thing, stage } = secretWorld();
    const password = "a wrong one of this test alone";
    await stage.up(() => Thing("plain"));
    const before = await textIn(stage.store);
    world.news();
    const count = await derivationsIn(async () => {
      for (const options of [{}, { phase: "read" }, { plan: true }] as const) {
        const run = stage.up(() => Thing("plain"), { ...options, password });
        await expect(run).rejects.toMatchObject({ code: "WRONG_PASSWORD" });
      }
    });
    expect(count).toBe(1);
    expect(world.news()).toEqual([]);
    expect(await textIn(stage.store)).toBe(before);
  });
});

describe("without a password", () => {
  test("a secret in the program is refused, naming resource and path", async () => {
    const { world, Thing } = secretWorld();
    const program = () => Thing("db", { value: { deep: [1, new Secret("hidden")] } });
    const bare = secretStage({ password: undefined });
    expect(await failuresOf(bare.up(program))).toMatchObject([
      {
        code: "PASSWORD_REQUIRED",
        fqn: "app/dev/db",
        message:
          'The secret at "/value/deep/1" in the props of "app/dev/db" needs a password or a key. Set ENGINE_PASSWORD or ENGINE_KEY, or pass { password } or { key } to engine().',
      },
    ]);
    expect(world.calls).toEqual([]);
    expect(await textIn(bare.store)).toBe("");
  });

  test("a recorded secret is refused where it is read: in a declaration, in data, in a delete", async () => {
    const { world, Thing, stage } = secretWorld();
    await stage.up(async (app) => {
      await app.set("token", new Secret("in data"));
      await Thing("a", { value: new Secret("hidden") });
    });
    world.news();
    const bare = secretStage({ password: undefined, stateStore: stage.store });
    const required = (fqn: string) => [{ code: "PASSWORD_REQUIRED", fqn }];
    expect(await failuresOf(bare.up(() => {}))).toMatchObject(required("app/dev/a"));
    expect(await failuresOf(bare.up(() => Thing("a", {}), { phase: "read" }))).toMatchObject(required("app/dev/a"));
    await bare.up(
      async (app) => {
        await expect(app.get("token")).rejects.toMatchObject({ code: "PASSWORD_REQUIRED", fqn: "app/dev" });
      },
      { destroyOrphans: false },
    );
    expect(world.news()).toEqual([]);
  });

  test("what touches no secret is looked at, with a warning, and not changed", async () => {
    const { world, Thing, stage } = secretWorld();
    await stage.up(() => Promise.all([Thing("a", { value: new Secret("hidden") }), Thing("b")]));
    const before = await textIn(stage.store);
    world.news();
    const bare = secretStage({ password: undefined, stateStore: stage.store });
    const same = { destroyOrphans: false } as const;
    for (const options of [same, { phase: "read" }, { ...same, plan: true }] as const) {
      await bare.up(() => Thing("b"), options);
      expect(bare.summary).toMatchObject("phase" in options ? { read: 1 } : { unchanged: 1 });
      expect(bare.heard("warning").map(({ code }) => code)).toEqual(["UNVERIFIED"]);
    }
    const refused: readonly [(app: Scope) => unknown, EngineOptions][] = [
      [() => Thing("b", { value: 2 }), same],
      [() => Thing("new"), same],
      [(app) => app.set("k", 1), same],
      [() => Thing("a", { value: "plain" }), same],
      // One or all of its resources are not declared.
      [() => Thing("a", { value: new Secret("hidden") }), {}],
      [() => {}, {}],
      [() => {}, { phase: "destroy" }],
    ];
    for (const [program, options] of refused) {
      expect(await failuresOf(bare.up(program, options))).toMatchObject([{ code: "PASSWORD_REQUIRED" }]);
    }
    expect(world.news()).toEqual([]);
    expect(world.names.sort()).toEqual(["a#1", "b#2"]);
    expect(await textIn(stage.store)).toBe(before);
  });

  test("a stage that never had one goes on without, and is not sealed", async () => {
    const { Thing } = secretWorld();
    const bare = secretStage({ password: undefined });
    const count = await derivationsIn(async () => {
      await bare.up(() => Thing("b"));
      await bare.up(() => Thing("b", { value: 2 }));
    });
    expect(count).toBe(0);
    expect(bare.summary).toEqual({ updated: 1 });
    expect(bare.heard("warning")).toEqual([]);
    expect(await textIn(bare.store)).not.toMatch(/"mac"|"vouches"|scrypt|wrapped/);
  });
});

describe("a password", () => {
  test("is derived once in a process, at its first run, for that and a hundred secrets", async () => {
    const { Thing, stage } = secretWorld();
    const password = "of this test alone";
    const many = () =>
      Promise.all(Array.from({ length: 100 }, (_, n) => Thing(`t${n}`, { value: new Secret(`value ${n}`) })));
    expect(await derivationsIn(() => stage.up(() => Thing("plain"), { password, destroyOrphans: false }))).toBe(1);
    expect(await derivationsIn(() => stage.up(many, { password }))).toBe(0);
    expect(await derivationsIn(() => stage.up(many, { password }))).toBe(0);
    expect(stage.summary).toEqual({ unchanged: 100 });
  });

  test("is the same however its accents were typed", async () => {
    const { Thing, stage } = secretWorld();
    const program = () => Thing("a", { value: new Secret("hidden") });
    await stage.up(program, { password: "\u00e9t\u00e9" });
    await stage.up(program, { password: "e\u0301te\u0301" });
    expect(stage.summary).toEqual({ unchanged: 1 });
  });
});

test.each([0, 1.5, 8_192, 16_385, 2 ** 21, Number.NaN])("%d is not a cost for scrypt", (cost) => {
  expect(() => secrets({ cost })).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
});

describe("recorded parameters of a password", () => {
  test.each([
    ["too weak", '"n":16384', '"n":8192'],
    ["too much memory", '"n":16384', '"n":4194304'],
    ["not valid numbers", '"n":16384', '"n":16385'],
    ["unknown", '"name":"scrypt"', '"name":"rot13"'],
  ])("are refused where they are %s", async (why, from, to) => {
    const { world, Thing, stage } = secretWorld();
    const program = () => Thing("a", { value: new Secret("hidden") });
    await stage.up(program);
    world.news();
    // They are read before any proof, even if they are sealed with the key of the state.
    for (const password of [undefined, PASSWORD]) {
      const store = memoryStore();
      await rewriteState(stage.store, store, (text) => text.replace(from, to), { password });
      const before = await textIn(store);
      const count = await derivationsIn(async () => {
        const run = secretStage({ stateStore: store }).up(program);
        await expect(run).rejects.toMatchObject({ code: "STATE_CORRUPT", message: expect.stringContaining(why) });
      });
      expect(count).toBe(0);
      expect(world.news()).toEqual([]);
      expect(await textIn(store)).toBe(before);
    }
  });
});

describe("without secrets", () => {
  test("a password leaves a key that it wraps, and a seal on all that comes with it and after", async () => {
    const { Thing, stage } = secretWorld();
    const password = "of the stage without secrets";
    const seal = expect.stringMatching(/^[0-9a-f]{64}$/);
    await stage.up(() => {}, { password });
    expect(await textIn(stage.store)).toBe("");
    await stage.up(() => Thing("a", { value: 1 }), { password });
    const { entries, checkpoints } = ledgerKeys("app", "dev");
    const [open, first, ...more] = (await textIn(stage.store, entries))
      .trim()
      .split(/\n+/)
      .map((line) => JSON.parse(line));
    // It holds only the writer and the name of the state; the next line vouches for it.
    expect(Object.keys(open)).toEqual(["digest", "seq", "session", "prev", "open"]);
    expect(first).toMatchObject({ vouches: seal, mac: seal });
    expect(first.ops[0]).toMatchObject({
      op: "data",
      owner: "$secrets",
      key: "/",
      value: { kdf: { name: "scrypt" }, wrapped: expect.stringMatching(/^[A-Za-z0-9+/]{80}$/) },
    });
    expect(more.length).toBeGreaterThan(0);
    for (const line of more) expect(line).toMatchObject({ mac: seal });
    expect(JSON.parse(await textIn(stage.store, checkpoints))).toMatchObject({ mac: seal });
    for (const bytes of [password, Buffer.from(password).toString("base64").replace(/=+$/, "")]) {
      expect(await textIn(stage.store)).not.toContain(bytes);
    }
    const before = await textIn(stage.store);
    await stage.up(() => Thing("a", { value: 1 }), { password });
    expect(await textIn(stage.store)).toBe(before);
  });

  test("a declaration that a plugin refuses leaves no key either", async () => {
    const { Thing, stage } = secretWorld();
    const refusing = {
      name: "refusing",
      apply: ({ hooks }: { hooks: { beforeApply: { tap(name: string, fn: () => void): void } } }) =>
        hooks.beforeApply.tap("refusing", () => {
          throw new Error("no");
        }),
    };
    await failuresOf(stage.up(() => Thing("a", { value: new Secret("hidden") }), { plugins: [refusing] }));
    expect(await textIn(stage.store)).toBe("");
  });
});
