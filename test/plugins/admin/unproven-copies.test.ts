/** Copies of a sealed state that its present key does not prove. */
import { expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { digested } from "../../../core/state/checkpoint/digested-text.js";
import { ledgerKeys, readCheckpoint, writeCheckpoint } from "../../../core/state/index.js";
import { rekey } from "../../helpers/apps/admin-tools.ts";
import { COST, PASSWORD } from "../../helpers/apps/secret-stage.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { administered, filled } from "./administered.js";

const given = administered();
const password = PASSWORD;
const keys = ledgerKeys("app", "dev");

test("one from before the state was sealed is not a finding, and is restored on request, under the present key", async () => {
  const all = await given("memory", "");
  for (const names of [["a"], ["a", "b"]])
    await all.stage.up(() => Promise.all(names.map((name) => all.Thing(name))), { password: undefined });
  const admin = all.admin({ password });
  await admin.seal();
  const [first] = await admin.history();
  expect(await admin.verify()).toMatchObject({ histories: 3, findings: [] });
  expect((await rejectedCode(admin.restore(first?.seq ?? 0)))[0]).toBe("STATE_FORGED");
  expect(await admin.restore(first?.seq ?? 0, { unverified: true })).toEqual({ changes: 1, forgotten: ["app/dev/b"] });
  expect((await admin.list()).resources).toHaveLength(1);
  expect(await admin.seal()).toBe(false);
});

test("one that records its key, as versions wrote it that sealed no state, is sealed by that where it is pushed into an empty store", async () => {
  const all = await given("memory");
  await filled(all);
  const { head, contents } = readCheckpoint("", await all.admin({ password }).pull());
  const text = writeCheckpoint(head, contents, { version: "0.1.0" });
  const store = memoryStore();
  const admin = all.admin({ password }, store);
  expect((await rejectedCode(admin.push(text)))[0]).toBe("STATE_FORGED");
  await admin.push(text, { unverified: true });
  const [db] = (await admin.show("db", { secrets: true })).resources;
  expect(db?.props).toEqual({ value: "hush" });
  expect((await rejectedCode(all.admin({}, store).forget(["logo"])))[0]).toBe("PASSWORD_REQUIRED");
});

test("one of a stage that records nothing begins the state under its identity, sealed or not", async () => {
  const all = await given("memory", "");
  const options = { password: undefined };
  await all.stage.up(() => all.Thing("a"), options);
  await all.stage.up(undefined, options);
  const text = await all.admin().pull();
  const lineage = (copy: string) => readCheckpoint("", copy).head.lineage;
  for (const given of [{}, { password }]) {
    const admin = all.admin(given, memoryStore());
    expect(await admin.push(text, { unverified: true })).toEqual({ changes: 0, forgotten: [] });
    expect(lineage(await admin.pull())).toBe(lineage(text));
  }
});

test("one that an earlier password opens cannot be checked with the present one, and is not a finding", async () => {
  const all = await given("memory");
  await filled(all);
  const tool = { stage: "dev", stateStore: all.store, env: {}, cost: COST, rootDir: all.rootDir };
  await rekey("app", { ...tool, password, newPassword: "new horse" });
  expect(await all.admin({ password: "new horse" }).verify()).toMatchObject({ resources: 3, findings: [] });
});

test("one that was changed without the key is a finding, although its digest fits", async () => {
  const all = await given("memory");
  await filled(all);
  const admin = all.admin({ password });
  const [{ seq } = { seq: 0 }] = await admin.history();
  const { digest: _digest, mac, ...body } = JSON.parse((await all.store.get(keys.history(seq))) ?? "");
  await all.store.set(keys.history(seq), `${digested(JSON.stringify({ ...body, records: [] }), () => mac).text}\n`);
  expect((await admin.verify()).findings).toMatchObject([
    { key: keys.history(seq), level: "damaged", problem: "its seal was not made with the key that the copy records" },
  ]);
  expect((await all.admin().verify()).findings).toEqual([]);
});
