/** Alternatives to a passphrase for the secrets of a stage: a key, an age identity, a command. */
import { generateIdentity, identityToRecipient } from "age-encryption";
import { afterEach, describe, expect, test } from "vitest";
import { platform, setPlatform } from "../../../core/base/index.js";
import type { EngineOptions, KeyCommand, StateStore } from "../../../core/contract/index.js";
import { ledgerKeys } from "../../../core/state/index.js";
import { engine } from "../../../plugins/index.js";
import { sealText, unsealText } from "../../../plugins/secrets/codec.js";
import { newKeyText } from "../../../plugins/secrets/opener.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { collect } from "../../../plugins/testing/store/case.js";
import { rekey, rotatePassword } from "../../helpers/apps/admin-tools.ts";
import { COST, inStore, secretStage, textIn } from "../../helpers/apps/secret-stage.ts";
import type { Stage } from "../../helpers/apps/stage.ts";
import { World } from "../../helpers/apps/world.ts";

const world = new World();
const Thing = world.type();
const real = platform();
afterEach(() => setPlatform(real));

const printing = (text: string): KeyCommand => ({
  command: [process.execPath, "-e", `console.log(${JSON.stringify(text)})`],
});
const identity = await generateIdentity();
const openers = {
  password: { password: "correct horse" },
  key: { key: newKeyText() },
  age: { key: identity },
  "a command that prints a key": { key: printing(newKeyText()) },
  "a line for the shell that prints an identity": { key: { command: `echo ${await generateIdentity()}` } },
} satisfies Record<string, EngineOptions>;
type Kind = keyof typeof openers;
const kinds = Object.keys(openers) as Kind[];
const keyKinds = kinds.filter((kind) => kind !== "password");

const errorOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => expect.fail("It did not fail."),
    (error) => error.errors?.[0] ?? error,
  );

const newStage = (): Stage => secretStage({ password: undefined });

const declare = (stage: Stage, own: EngineOptions = {}) =>
  stage.up(() => Thing("a", { value: new Secret("s3cret-of-a") }), { password: undefined, ...own });

const countEntries = async (store: StateStore): Promise<number> =>
  (await collect(store.list(ledgerKeys("app", "dev").entries))).length;

describe.each(keyKinds)("under %s", (kind) => {
  test("secrets are encrypted, and read with it, and not without it", async () => {
    const stage = newStage();
    await declare(stage, openers[kind]);
    expect(await textIn(stage.store)).not.toContain("s3cret-of-a");
    await declare(stage, openers[kind]);
    expect(stage.summary).toEqual({ unchanged: 1 });
    const before = await textIn(stage.store);
    for (const other of [{ key: newKeyText() }, { key: await generateIdentity() }, { password: "guessed" }]) {
      const error = await errorOf(declare(stage, other));
      expect(error).toMatchObject({ code: "WRONG_PASSWORD", message: expect.stringContaining("Nothing was changed") });
    }
    const none = await errorOf(declare(stage));
    expect(none).toMatchObject({ code: "PASSWORD_REQUIRED" });
    expect(await textIn(stage.store)).toBe(before);
  });

  test("nothing is derived from a passphrase", async () => {
    const scrypt = async (): Promise<Buffer> => {
      throw new Error("derived");
    };
    setPlatform({ ...real, scrypt });
    await declare(newStage(), openers[kind]);
  });

  test("what a run could not record is sealed, and opened by it alone", async () => {
    const sealed = sealText(openers[kind], COST, "what was done", "here");
    expect(sealed).not.toContain("what was done");
    expect(await unsealText(openers[kind], sealed, "here")).toBe("what was done");
    await expect(unsealText(openers[kind], sealed, "elsewhere")).rejects.toMatchObject({ code: "WRONG_PASSWORD" });
    await expect(unsealText({ key: newKeyText() }, sealed, "here")).rejects.toMatchObject({ code: "WRONG_PASSWORD" });
    await expect(unsealText({ password: "x" }, sealed, "here")).rejects.toMatchObject({ code: "WRONG_PASSWORD" });
  });
});

describe("a stage is given another opener by one small entry", () => {
  const pairs = kinds.flatMap((from) => kinds.filter((to) => to !== from).map((to) => [from, to] as const));
  test.each(pairs)("from %s to %s", async (from, to) => {
    const stage = newStage();
    await declare(stage, openers[from]);
    const ciphertexts = /"\$secret":\[[^\]]+\]/g;
    const before = (await textIn(stage.store)).match(ciphertexts);
    const count = await countEntries(stage.store);
    const next = openers[to];
    const given = "password" in next ? { newPassword: next.password } : { newKey: next.key };
    const settings = inStore(stage.store, openers[from]);
    expect(await rotatePassword("app", { ...settings, ...given })).toBe(true);
    expect(await countEntries(stage.store)).toBe(count + 1);
    expect(new Set((await textIn(stage.store)).match(ciphertexts))).toEqual(new Set(before));
    const error = await errorOf(declare(stage, openers[from]));
    expect(error).toMatchObject({ code: "WRONG_PASSWORD" });
    await declare(stage, next);
    expect(stage.summary).toEqual({ unchanged: 1 });
  });

  test("and a new data key, where that is wanted, under the present one or the new one", async () => {
    const { key } = openers.key;
    const stage = newStage();
    await declare(stage, { key });
    const settings = inStore(stage.store, {});
    expect(await rekey("app", { ...settings, key })).toBe(2);
    await declare(stage, { key });
    expect(stage.summary).toEqual({ unchanged: 1 });
    expect(await rekey("app", { ...settings, key, newKey: identity })).toBe(2);
    await declare(stage, { key: identity });
    expect(stage.summary).toEqual({ unchanged: 1 });
  });

  test.each([
    [{}, "is missing"],
    [{ newKey: openers.key.key }, 'The new key of "app/dev" is the same as the current one'],
    [{ newKey: newKeyText(), newPassword: "x" }, "cannot be combined"],
    [{ newKey: "no key" }, "is not a key"],
    [{ newKey: { command: [] as never } }, 'Option "key" must be'],
  ])("unless what is given is none: %#", async (given, message) => {
    const stage = newStage();
    await declare(stage, openers.key);
    const before = await textIn(stage.store);
    const settings = inStore(stage.store, openers.key);
    await expect(rotatePassword("app", { ...settings, ...given })).rejects.toThrow(message);
    expect(await textIn(stage.store)).toBe(before);
  });
});

describe("a text that is not a key is refused before anything is done", () => {
  const key = newKeyText();
  const last = key.at(-1) === "A" ? "B" : "A";
  test.each([
    ["a passphrase", "correct horse", "Pass a passphrase as ENGINE_PASSWORD"],
    [
      "one with a slip",
      `${key.slice(0, 30)}${key[30] === "A" ? "B" : "A"}${key.slice(31)}`,
      "is incomplete or mistyped",
    ],
    ["one whose last letter is another", key.slice(0, -1) + last, "is incomplete or mistyped"],
    ["half of one", key.slice(0, 40), "is incomplete"],
    ["two of them", `${key}\n${newKeyText()}`, "has 2 lines"],
    ["a comment", "# nothing\n", "has no line"],
    ["an identity with a slip", `${identity.slice(0, 40)}B${identity.slice(41)}Q`, "age identity is incomplete"],
  ])("%s", async (_, text, message) => {
    world.news();
    const error = await errorOf(declare(newStage(), { key: text }));
    expect(error).toMatchObject({ code: "KEY_INVALID", message: expect.stringContaining(message) });
    expect(String(error)).not.toContain(text.trim().slice(0, 30));
    expect(world.news()).toEqual([]);
  });

  test("but a file of age-keygen is one, with its comments", async () => {
    const text = `# created: 2026\n# public key: ${await identityToRecipient(identity)}\n${identity}\n`;
    const stage = newStage();
    await declare(stage, { key: text });
    await declare(stage, { key: identity });
    expect(stage.summary).toEqual({ unchanged: 1 });
  });
});

describe("of several openers", () => {
  test("the nearest to the secret holds, be it of another kind", async () => {
    const stage = newStage();
    const key = newKeyText();
    const program = (own: EngineOptions) => () =>
      stage.engine.run("tenant", own as { key: string }, () => Thing("b", { value: new Secret("s3cret-of-b") }));
    await stage.up(program({ key }), { password: "the app's" });
    const error = await errorOf(stage.up(program({}), { password: "the app's" }));
    expect(error).toMatchObject({ code: "PASSWORD_REQUIRED", message: expect.stringContaining("{ key }, fn)") });
    // The rest of the stage gets another key.
    const settings = inStore(stage.store, {});
    const next = newKeyText();
    expect(await rotatePassword("app", { ...settings, password: "the app's", newKey: next })).toBe(true);
    await stage.up(program({ key }), { key: next });
    expect(stage.summary).toEqual({ unchanged: 1 });
    for (const other of [{ password: "the app's" }, { key: newKeyText() }, { key }]) {
      expect(await errorOf(stage.up(program({ key }), other))).toMatchObject({
        code: "WRONG_PASSWORD",
        fqn: "app/dev",
      });
    }
  });

  test("a password and a key in one place are refused", async () => {
    const both = { password: "x", key: newKeyText() };
    for (const work of [
      () => declare(newStage(), both),
      () => newStage().up(async () => void (await engine.run("inner", both, () => {}))),
    ]) {
      const error = await errorOf(work());
      expect(error).toMatchObject({ code: "INVALID_OPTION", message: expect.stringContaining("cannot be combined") });
    }
  });
});
