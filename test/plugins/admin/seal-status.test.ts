/** Seal status of a stage and its copies: proof that they were written with the stage's key. */
import { describe, expect, test } from "vitest";
import { digested } from "../../../core/state/checkpoint/digested-text.js";
import { ledgerKeys } from "../../../core/state/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { rekey, rotatePassword } from "../../helpers/apps/admin-tools.ts";
import { COST, PASSWORD } from "../../helpers/apps/secret-stage.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { type Administered, administered, filled } from "./administered.js";

const given = administered();
const password = PASSWORD;
const NEW = "new horse";
const keys = ledgerKeys("app", "dev");

const tool = ({ store, rootDir }: Administered) => ({
  ...{ stage: "dev", stateStore: store, env: {}, cost: COST, rootDir, password },
});
const changed = ({ stage, Thing }: Administered, by: string) =>
  stage.up(() => Thing("db", { value: 2 }, { protect: true }), { password: by });

async function sealsOf(all: Administered, by?: string) {
  const history = await all.admin(by === undefined ? {} : { password: by }).history();
  return history.map(({ run, seal, keyChange }) => [run?.command, seal, keyChange]);
}

/** Forges a copy as an attacker with access to the store would: the digest fits, the seal cannot. */
async function forge({ store }: Administered, seq: number): Promise<void> {
  const { digest: _digest, mac, ...body } = JSON.parse((await store.get(keys.history(seq))) ?? "");
  await store.set(keys.history(seq), `${digested(JSON.stringify({ ...body, records: [] }), () => mac).text}\n`);
}

describe("a state", () => {
  test("is verified with the key of its stage, unverified without, and has no seal where it never had a key", async () => {
    const sealed = await given("files");
    await filled(sealed);
    const seals = await Promise.all([{ password }, {}].map(async (one) => (await sealed.admin(one).view()).seal));
    expect(seals).toEqual(["verified", "unverified"]);
    const bare = await given("memory", "");
    await bare.stage.up(() => bare.Thing("a"), { password: undefined });
    expect((await bare.admin().view()).seal).toBe("none");
  });
});

describe("a copy in the history", () => {
  test("can be restored after another password opens the same data key, and names the command that did that", async () => {
    const all = await given("memory");
    await filled(all);
    await rotatePassword("app", { ...tool(all), newPassword: NEW });
    await changed(all, NEW);
    expect(await sealsOf(all, NEW)).toEqual([
      ["up", "verified", "opener"],
      ["secrets rotate", "verified", undefined],
      ["up", "verified", undefined],
    ]);
    const admin = all.admin({ password: NEW });
    const [first] = await admin.history();
    expect(await admin.restore(first?.seq ?? 0)).toMatchObject({ forgotten: [] });
    expect((await admin.list()).resources).toHaveLength(3);
  });

  test("can be restored after another data key that the same password opens", async () => {
    const all = await given("memory");
    await filled(all);
    await rekey("app", tool(all));
    expect(await sealsOf(all, password)).toEqual([
      ["up", "verified", "data-key"],
      ["secrets rotate --rekey", "verified", undefined],
    ]);
    const [first] = await all.admin({ password }).history();
    expect((await all.admin({ password }).restore(first?.seq ?? 0)).changes).toBeGreaterThan(0);
  });

  test("is marked where its password and its data key are given up: it cannot be restored, and is not shown as verified", async () => {
    const all = await given("memory");
    await filled(all);
    await rekey("app", { ...tool(all), newPassword: NEW });
    expect(await sealsOf(all, NEW)).toEqual([
      ["up", "other-key", "data-key"],
      ["secrets rotate --rekey", "verified", undefined],
    ]);
    expect(await sealsOf(all)).toEqual([
      ["up", "unverified", "unknown"],
      ["secrets rotate --rekey", "unverified", undefined],
    ]);
    const admin = all.admin({ password: NEW });
    const [first, last] = await admin.history();
    expect((await rejectedCode(admin.restore(first?.seq ?? 0)))[0]).toBe("WRONG_PASSWORD");
    expect((await admin.view(first?.seq ?? 0)).seal).toBe("other-key");
    expect((await admin.values("db")).map(({ seal }) => seal)).toContain("other-key");
    expect((await admin.difference(first?.seq ?? 0, last?.seq ?? 0)).seal).toBe("other-key");
  });

  test("of an emptied stage is not a forgery because another key seals later changes", async () => {
    const all = await given("memory");
    await all.stage.up(() => all.Thing("a", { value: new Secret("hush") }));
    await all.stage.up(() => {}, { phase: "destroy" });
    await rekey("app", { ...tool(all), newPassword: NEW });
    expect((await sealsOf(all, NEW)).map(([, seal]) => seal)).toEqual(["other-key", "other-key", "verified"]);
    expect(await all.admin({ password: NEW }).verify()).toMatchObject({ findings: [] });
  });

  test("that was changed without the key is reported as forged, and no value of it is shown", async () => {
    const all = await given("memory");
    await filled(all);
    await changed(all, password);
    const admin = all.admin({ password });
    const [first, last] = await admin.history();
    const before = await admin.values("db");
    await forge(all, first?.seq ?? 0);
    expect((await admin.history())[0]).toMatchObject({
      seal: "forged",
      problem: expect.stringContaining("this copy was changed without the key"),
    });
    expect((await rejectedCode(admin.view(first?.seq ?? 0)))[0]).toBe("STATE_FORGED");
    expect((await rejectedCode(admin.difference(first?.seq ?? 0, last?.seq ?? 0)))[0]).toBe("STATE_FORGED");
    expect((await admin.values("db")).length).toBeLessThan(before.length);
    // The seal cannot be verified without the key.
    expect((await all.admin().history())[0]?.seal).toBe("unverified");
  });
});
