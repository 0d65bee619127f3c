/** Values of a state: a provider upgrades only those that it would change, or that an older version recorded. */
import { beforeAll, expect, test } from "vitest";
import { settle } from "../../../plugins/cli/import/settle.js";
import { withSecretsAt } from "../../../plugins/cli/import/written-props.js";
import { type RecordedValue, Sensitive } from "../../../plugins/import/contract.js";
import { emptyValue, impliedType, type ProviderSchema } from "../../../plugins/terraform/schema/index.js";
import { recordedIn } from "../terraform/fixture/world.ts";
import { sharedFixture } from "../terraform/fixture-provider.ts";

const fixture = sharedFixture();
let schemas: ProviderSchema;
beforeAll(async () => {
  const { client } = fixture();
  schemas = await client.schema();
  await client.configure({ type: impliedType(schemas.provider.block), value: emptyValue(schemas.provider.block) });
});

/** Settles a value, and returns the questions that the provider was asked for it. */
async function settled(type: string, json: string, more: Partial<RecordedValue> = {}) {
  const schema = schemas.resources[type];
  if (!schema) throw new Error(`The fixture has no type ${type}.`);
  const { client, world } = fixture();
  const before = recordedIn(world).length;
  const value: RecordedValue = { by: "state", json, schemaVersion: schema.version, sensitive: [], ...more };
  const resource = { address: "a", scope: [], name: "a", type, value, dependencies: [], status: "ready" } as const;
  const of = { provider: "example/fixture", source: "example/fixture", client, schema };
  const result = await settle(resource, { ...of, refused: new Set() });
  const asked = recordedIn(world).slice(before);
  return { result, asked: asked.map(({ rpc }) => String(rpc).replace(/Resource.*/, "")) };
}

const THING = { id: "t-1", name: "one", size: 7, region: "eu", tags: null, secret: null, password: "p", revision: 1 };
const SDK = { id: "s-1", name: "one", content: "c", source: null, locale: "en", members: ["a"], labels: {} };
const ENDPOINT = { endpoint: [{ host: "localhost", port: 1 }], rule: [{ port: 80, text: "" }] };
const CHOICE = { id: "c-1", title: "t", name: "shop", name_prefix: null, zone: "eu-1", zone_id: "z1", arn: null };
const MORE = { link: null, address: null, size: 3, public: null, labels: null, labels_all: null, password: null };

const thing = (more: object = {}) => ({ ...THING, old_name: null, ...more });
const sdk = (payload: string) => ({ ...SDK, ...ENDPOINT, payload });

/** An unknown member makes the provider upgrade the value. It drops the member. */
const forUpgrade = (value: object): string => JSON.stringify({ ...value, dropped: true });

test("a value that the present version recorded is planned as it is, without an upgrade", async () => {
  const { result, asked } = await settled("fixture_thing", JSON.stringify(thing()));
  expect(asked).toEqual(["Validate", "Plan"]);
  const other = await settled("fixture_thing", forUpgrade(thing()));
  expect(other.asked).toEqual(["Upgrade", "Validate", "Plan"]);
  expect(result).toEqual(other.result);
  expect(result).toMatchObject({ value: { value: { name: "one", size: 7 } }, chosen: ["region"] });
});

test("a value that its provider writes in another way is upgraded, and becomes the same configuration", async () => {
  const { result, asked } = await settled("fixture_sdk", JSON.stringify(sdk(" Hello ")));
  expect(asked).toEqual(["Validate", "Plan", "Upgrade", "Validate", "Plan"]);
  expect(result).toMatchObject({ value: { config: { payload: "hello" }, value: { payload: "hello" } } });
  expect(result).toEqual((await settled("fixture_sdk", forUpgrade(sdk(" Hello ")))).result);
  expect(result).toEqual((await settled("fixture_sdk", JSON.stringify(sdk("hello")))).result);
});

test("a value that the upgrade leaves as it is is not planned twice with the same configuration", async () => {
  const value = { ...CHOICE, ...MORE, state: "on", disk: [] };
  const { result, asked } = await settled("fixture_choice", JSON.stringify(value));
  const other = await settled("fixture_choice", forUpgrade(value));
  expect(result).toMatchObject({ refused: ["zone_id"] });
  expect(result).toEqual(other.result);
  expect([...asked].sort()).toEqual([...other.asked].sort());
});

test.each([
  ["of an older version", "fixture_versioned", { id: "v-1", title: "one", size: "7" }, 0],
  ["without a member that its type has now", "fixture_versioned", { id: "v-1", name: "one" }, 1],
  ["with a list of blocks that is null", "fixture_sdk", { ...sdk("hello"), rule: null }, 0],
])("a value %s is upgraded first", async (_how, type, value, schemaVersion) => {
  const { result, asked } = await settled(type, JSON.stringify(value), { schemaVersion });
  expect(asked.slice(0, 3)).toEqual(["Upgrade", "Validate", "Plan"]);
  expect(result).toMatchObject({ value: { config: { name: "one" } } });
});

test("a secret member leaves its neighbours plain, and an object that is marked is a secret as a whole", () => {
  const block = {
    attributes: { login: { type: ["map", "string"] }, tags: { type: ["list", "string"] } },
    blocks: {},
  } as const;
  const value = { login: { user: "me", password: "hush" }, tags: ["a", "b"] };
  const secretsAt = (...paths: (string | number)[][]) => withSecretsAt(block, value, paths);
  expect(secretsAt(["login", "password"], ["tags", 1])).toEqual({
    login: { user: "me", password: new Sensitive("hush") },
    tags: ["a", new Sensitive("b")],
  });
  expect(secretsAt(["login"])).toEqual({ ...value, login: new Sensitive(value.login) });
  // A path that leads nowhere marks what it reached.
  expect(secretsAt(["tags", 7], ["login", "user", "deeper"])).toEqual({
    login: { ...value.login, user: new Sensitive("me") },
    tags: new Sensitive(value.tags),
  });
});
