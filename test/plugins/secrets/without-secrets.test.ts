import { describe, expect, test } from "vitest";
import { ledgerKeys } from "../../../core/state/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { derivationsIn } from "../../helpers/apps/derivations.ts";
import { secretWorld, textIn } from "../../helpers/apps/secret-stage.ts";
import { failuresOf } from "../../helpers/apps/stage.ts";

const VALUE = "hunter2-häslich";

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
    // Nothing but who writes, and the name of the state: the next line stands for that.
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

  test("a stage without a password has neither, and costs no derivation", async () => {
    const { Thing, stage } = secretWorld();
    const none = { password: undefined };
    expect(await derivationsIn(() => stage.up(() => Thing("a", { value: 1 }), none))).toBe(0);
    expect(await textIn(stage.store)).not.toMatch(/scrypt|wrapped|"mac"|"vouches"/);
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
    await failuresOf(stage.up(() => Thing("a", { value: new Secret(VALUE) }), { plugins: [refusing] }));
    expect(await textIn(stage.store)).toBe("");
  });
});
