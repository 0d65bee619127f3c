/** `engine export` of records that were edited or damaged: one clear error, or files. */
import { expect, test } from "vitest";
import { isEngineError } from "../../../../core/base/index.js";
import { appOf } from "../../../../core/run/index.js";
import type { Contents } from "../../../../core/state/index.js";
import { inOwnRun } from "../../../../plugins/admin/operations/index.js";
import { exportForTerraform } from "../../../../plugins/terraform/export/index.js";
import type { ProviderClient } from "../../../../plugins/terraform/protocol/index.js";
import { launchProvider } from "../../../../plugins/terraform/protocol/index.js";
import { terraformData } from "../../../../plugins/terraform/terraform-data.js";
import { Random } from "../../../attacks/random.ts";
import { fixtureLaunch } from "../fixture-provider.ts";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();

const HOSTILE: readonly unknown[] = [
  null,
  true,
  -1,
  1e21,
  "",
  "../../x",
  "\u001b[31m\n",
  "__proto__",
  "x".repeat(100_000),
  [],
  {},
  [[]],
  JSON.parse('{"__proto__":{"a":1},"constructor":1}'),
  JSON.parse(`${"[".repeat(400)}${"]".repeat(400)}`),
  { $secret: "x" },
  { $bigint: "x" },
];

/** Replaces, removes, renames or doubles one part of a value. */
function mutated(value: unknown, random: Random): unknown {
  const isInner = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  if (!isInner || random.chance(0.15)) return random.one(HOSTILE);
  const all = Object.entries(value);
  const at = random.below(all.length);
  const [name, one] = all[at] as [string, unknown];
  const dice = random.below(10);
  if (dice === 0) all.splice(at, 1);
  else if (dice === 1) all[at] = [random.one(["__proto__", "a.b", "$secret"]), one];
  else all[at] = [name, mutated(one, random)];
  return Array.isArray(value) ? all.map(([, each]) => each) : Object.fromEntries(all);
}

/** Damages one part of one record, and returns its name. */
function damage({ records, data }: Contents, random: Random): string {
  const all = [...records.entries()];
  const [uid, record] = random.one(all);
  const setRecord = (more: object): void => void (records as Map<string, object>).set(uid, { ...record, ...more });
  const what = random.one(["props", "output", "kind", "key", "refs", "data"] as const);
  if (what === "data") {
    const [owner, values] = random.one([...data.entries()]);
    const [key, value] = random.one([...values.entries()]);
    (data as Map<string, Map<string, unknown>>).set(
      owner,
      new Map<string, unknown>(values).set(key, mutated(value, random)),
    );
  } else if (what === "props" || what === "output") setRecord({ [what]: mutated(record[what], random) });
  else {
    const others = all.map(([, one]) => one.key);
    const text = random.one([
      "a/b:c",
      "test/fixture:data.thing",
      "terraform:Provider",
      "a b/ü.x",
      "__proto__",
      ...others,
    ]);
    setRecord({ [what]: what === "refs" ? [text, ...all.map(([one]) => one)] : text });
  }
  return `${what} of ${record.kind}`;
}

test("a damaged record gives one clear error or files, and never another failure", async () => {
  const fixtures = await made();
  const { stage, world } = fixtures;
  await stage.up(async () => {
    const fixture = fixtures.fixture({ token: "plain" });
    const one = await fixture.thing!("one", { name: "one", size: 0.1, tags: { a: "b" } });
    await fixture.attributes!("all", { string: "é", dynamic: [1, "x"], setOfObjects: [{ name: "n" }] });
    await fixture.blocks!("blocks", { name: one.name, rule: [{ port: 80, target: { host: "h" } }], single: {} });
    await terraformData("data", { input: one.id });
  });
  const client = await launchProvider(fixtureLaunch(world.folder, { FIXTURE_PLAIN: "1" }));
  const schema = await client.schema();
  await client.close();
  const open = async () => ({ schema: async () => schema, close: async () => {} }) as unknown as ProviderClient;
  const random = new Random(7);
  const unclear: string[] = [];
  const ends = new Set<string>();
  for (let round = 0; round < 150; round++) {
    await inOwnRun(appOf(stage.app), stage.store, { command: "show" }, async (own) => {
      const what = damage(own.ledger.contents, random);
      try {
        const { files, addresses } = await exportForTerraform(own, { showSecrets: true, open });
        for (const text of files.values()) JSON.parse(text);
        expect(new Set(addresses.values()).size).toBe(addresses.size);
        ends.add("files");
      } catch (error) {
        const { message, stack } = error as Error;
        ends.add(isEngineError(error) ? error.code : "unclear");
        if (!isEngineError(error) || message.length > 2_000) unclear.push(`round ${round}, ${what}: ${stack}`);
      }
    });
  }
  expect(unclear).toEqual([]);
  for (const end of ["files", "STATE_CORRUPT", "PROVIDER_MISSING"]) expect(ends).toContain(end);
});
