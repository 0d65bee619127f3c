/** The seal of a stage with a password, for readers with and without it. */
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { EngineOptions, Scope } from "../../../core/contract/index.js";
import { processes } from "../../../plugins/processes/index.js";
import { newKeyText } from "../../../plugins/secrets/opener.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { rekey, rotatePassword, sealState } from "../../helpers/apps/admin-tools.ts";
import { inStore, PASSWORD, secretStage, secretWorld, textIn } from "../../helpers/apps/secret-stage.ts";
import { failuresOf, recordsOf } from "../../helpers/apps/stage.ts";
import { World } from "../../helpers/apps/world.ts";

const KEYLESS = { password: undefined };

/** Number of lines in the journal and checkpoints, and how many of them have a seal. */
async function sealsIn(store: ReturnType<typeof secretStage>["store"]) {
  const texts = (await textIn(store)).split("\n").filter((line) => line.startsWith('{"digest"') || line.endsWith("}"));
  const whole = texts.filter((line) => line.startsWith('{"digest"') && line.endsWith("}"));
  return { lines: whole.length, sealed: whole.filter((line) => /,"mac":"[0-9a-f]{64}"\}$/.test(line)).length };
}

describe("a stage that begins with a password", () => {
  test("is sealed from its first change on, also where it has no secret: each line but the first, which only names it", async () => {
    const { Thing, stage } = secretWorld();
    await stage.up(() => Thing("a"));
    await stage.up(() => Thing("a", { value: 2 }));
    const { lines, sealed } = await sealsIn(stage.store);
    expect(lines).toBeGreaterThan(4);
    expect(sealed).toBe(lines - 1);
    expect(await textIn(stage.store)).toContain('"vouches"');
  });

  test("is sealed with its turn, where that is taken before the program runs", async () => {
    const { stage } = secretWorld();
    await stage.up(() => {}, { lock: "eager" });
    expect((await sealsIn(stage.store)).sealed).toBeGreaterThan(0);
    await stage.up(() => {}, { lock: "eager" });
  });

  test("keeps its seal under another password, another data key, and on a store where each change is an entry", async () => {
    const { world, Thing } = secretWorld();
    const stage = secretStage({ stateStore: memoryStore({ append: false }) });
    const program = () => Thing("a", { value: new Secret("hidden") });
    await stage.up(program);
    const found = inStore(stage.store, {});
    const key = newKeyText();
    await rotatePassword("app", { ...found, password: PASSWORD, newKey: key });
    await rekey("app", { ...found, key });
    await rekey("app", { ...found, key, newPassword: "third" });
    world.news();
    await stage.up(program, { password: "third" });
    expect(stage.summary).toEqual({ unchanged: 1 });
    expect(world.news()).toEqual([]);
    const { lines, sealed } = await sealsIn(stage.store);
    expect(sealed).toBe(lines - 1);
    await expect(stage.open({ password: undefined, key })).rejects.toMatchObject({ code: "WRONG_PASSWORD" });
  });
});

describe("a sealed stage, without its password", () => {
  async function sealedStage() {
    const { world, Thing, stage } = secretWorld({ read: true });
    await stage.up(async (app) => {
      await app.set("note", 1);
      await app.outputs({ url: "https://a" });
      await Thing("a", { value: 1 });
    });
    world.news();
    return { world, Thing, stage, before: await textIn(stage.store) };
  }

  const codes = (stage: ReturnType<typeof secretStage>) => stage.heard("warning").map(({ code }) => code);

  test("can be read, and each time a warning says that nothing is verified", async () => {
    const { world, Thing, stage, before } = await sealedStage();
    const looks: readonly [EngineOptions, (app: Scope) => unknown][] = [
      [{}, () => Thing("a", { value: 1 })],
      [{ phase: "read" }, () => Thing("a", { value: 1 })],
      [{ plan: true }, () => Thing("a", { value: 2 })],
      [{ refresh: true }, () => Thing("a", { value: 1 })],
    ];
    for (const [options, program] of looks) {
      await stage.up(program, { ...KEYLESS, ...options });
      expect(codes(stage), JSON.stringify(options)).toContain("UNVERIFIED");
    }
    const drift = await stage.engine.drift("app", { stage: "dev", stateStore: stage.store, argv: [], env: {} });
    expect(drift).toMatchObject({ same: 1 });
    expect(new Set(world.news().map((call) => call.split(" ")[0]))).toEqual(new Set(["read"]));
    expect(await textIn(stage.store)).toBe(before);
  });

  test("is not acted on: no handler that changes anything is called, nothing is written", async () => {
    const { world, Thing, stage, before } = await sealedStage();
    const acts: readonly [EngineOptions, (app: Scope) => unknown][] = [
      [{}, () => Thing("a", { value: 2 })],
      [{}, () => Thing("b")],
      [{}, () => {}],
      [{}, (app) => app.set("note", 2)],
      [{}, (app) => app.outputs({ url: "https://b" })],
      [{}, (app) => app.exec("run", "true")],
      [{ force: true }, () => Thing("a", { value: 1 })],
      [{ force: true, eraseSecrets: true }, () => Thing("a", { value: 1 })],
    ];
    for (const [options, program] of acts) {
      const failed = failuresOf(stage.up(program, { ...KEYLESS, plugins: [processes()], ...options }));
      const [error] = await failed.catch((thrown: unknown) => [thrown]);
      expect(error, `${program}`).toMatchObject({ code: "PASSWORD_REQUIRED", fqn: "app/dev" });
    }
    await expect(stage.open({ ...KEYLESS, phase: "destroy" })).rejects.toMatchObject({
      errors: [{ code: "PASSWORD_REQUIRED" }],
    });
    await expect(stage.open({ ...KEYLESS, lock: "eager" })).rejects.toMatchObject({ code: "PASSWORD_REQUIRED" });
    expect(world.news()).toEqual([]);
    expect(await textIn(stage.store)).toBe(before);
  });
});

describe("a stage that was made without a password", () => {
  async function plainStage() {
    const { world, Thing, stage } = secretWorld();
    const program = () => Promise.all([Thing("a"), Thing("b")]);
    await stage.up(program, KEYLESS);
    world.news();
    return { world, Thing, stage, program };
  }

  test("is refused by a run that has one, before anything is done, in every phase and in plans", async () => {
    const { world, stage, program } = await plainStage();
    const before = await textIn(stage.store);
    for (const options of [{}, { phase: "read" }, { phase: "destroy" }, { plan: true }] as const) {
      await expect(stage.up(program, options)).rejects.toMatchObject({
        code: "STATE_FORGED",
        message: expect.stringMatching(/not sealed.*engine state seal/),
      });
    }
    expect(world.news()).toEqual([]);
    expect(await textIn(stage.store)).toBe(before);
  });

  test("is sealed as it is by sealState(), in one line, and then only who has the password acts on it", async () => {
    const { world, Thing, stage, program } = await plainStage();
    const asked: number[] = [];
    const found = inStore(stage.store, {});
    const options = { ...found, password: PASSWORD, approve: (resources: number) => void asked.push(resources) };
    await expect(sealState("app", { ...options, approve: () => Promise.reject(new Error("no")) })).rejects.toThrow(
      "no",
    );
    expect(await sealState("app", options)).toBe(true);
    expect(await sealState("app", options)).toBe(false);
    expect(asked).toEqual([2]);
    await expect(sealState("app", found)).rejects.toMatchObject({ code: "PASSWORD_REQUIRED" });
    await stage.up(program);
    expect(stage.summary).toEqual({ unchanged: 2 });
    await stage.up(() => Thing("a"));
    expect(world.names).toEqual(["a#1"]);
    expect(await failuresOf(stage.up(() => Thing("c"), KEYLESS))).toMatchObject([{ code: "PASSWORD_REQUIRED" }]);
  });

  test("is sealed with the next change if the user agrees, and left alone if not", async () => {
    const { stage, program, Thing } = await plainStage();
    const questions: string[] = [];
    let answer: boolean | undefined = false;
    const asks = {
      name: "asks",
      apply: ({
        hooks,
      }: {
        hooks: { ask: { tap(name: string, fn: (c: { question: string }) => boolean | undefined): void } };
      }) =>
        hooks.ask.tap("asks", ({ question }) => {
          questions.push(question);
          return answer;
        }),
    };
    await expect(stage.up(program, { plugins: [asks], plan: true })).rejects.toMatchObject({ code: "STATE_FORGED" });
    expect(questions).toEqual([]);
    await expect(stage.up(program, { plugins: [asks] })).rejects.toMatchObject({ code: "STATE_FORGED" });
    answer = true;
    await stage.up(program, { plugins: [asks] });
    expect((await sealsIn(stage.store)).sealed).toBe(0);
    await stage.up(() => Promise.all([Thing("a", { value: 2 }), Thing("b")]), { plugins: [asks] });
    expect((await sealsIn(stage.store)).sealed).toBeGreaterThan(0);
    expect(new Set(questions)).toEqual(
      new Set(['Accept the state of "app/dev" as it is, and seal it with the next change?']),
    );
    expect(questions).toHaveLength(3);
  });

  test("and nothing recorded in it any more begins again with a password", async () => {
    const { stage, Thing } = await plainStage();
    await stage.open({ ...KEYLESS, phase: "destroy" });
    await stage.up(() => Thing("a"));
    expect((await sealsIn(stage.store)).sealed).toBeGreaterThan(0);
  });
});

describe("a sealed stage that is destroyed", () => {
  const world = new World();
  const Thing = world.type();

  async function destroyed() {
    const stage = secretStage();
    await stage.up(async () => {
      await Thing("a", { value: new Secret("hidden") });
      await stage.engine.run("tenant", { password: "its own" }, (scope) => scope.set("x", new Secret("y")));
    });
    await stage.open({ phase: "destroy" });
    return stage;
  }

  test("keeps the record of its key, and no other, so that the next run knows who emptied it", async () => {
    const stage = await destroyed();
    const before = await textIn(stage.store);
    await stage.open({ phase: "destroy" });
    expect(await textIn(stage.store)).toBe(before);
    const app = await stage.up(() => Thing("a"));
    expect(stage.heard("warning")).toEqual([]);
    expect(recordsOf(app)).toHaveLength(1);
    expect((await textIn(stage.store)).split("\n").at(-2)).not.toContain('"/tenant"');
  });

  test("has a plan under another password, too, which changes nothing", async () => {
    const stage = await destroyed();
    const before = await textIn(stage.store);
    await stage.up(() => Thing("a", { value: new Secret("new") }), { password: "another", plan: true });
    expect(stage.heard("plan:made")).toMatchObject([{ actions: [{ action: "create" }], errors: [] }]);
    expect(await textIn(stage.store)).toBe(before);
  });

  test("begins again under another password, and says that nothing was verified", async () => {
    const stage = await destroyed();
    await stage.up(() => Thing("a"), { password: "another" });
    expect(stage.heard("warning")).toMatchObject([
      { code: "UNVERIFIED", message: expect.stringMatching(/cannot verify that one of your runs emptied it/) },
    ]);
    await stage.up(() => Thing("a"), { password: "another" });
    expect(stage.heard("warning")).toEqual([]);
    await expect(stage.open()).rejects.toMatchObject({ code: "WRONG_PASSWORD" });
  });
});
