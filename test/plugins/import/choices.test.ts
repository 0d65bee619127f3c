/** Members that a provider may compute, but that the user may have configured: a state does not say which. */
import { beforeAll, describe, expect, test } from "vitest";
import { replaying } from "../../../plugins/cli/import/replay.js";
import { Choices } from "../../../plugins/cli/import/reported-choices.js";
import { settle, subjectOf } from "../../../plugins/cli/import/settle.js";
import { settleData } from "../../../plugins/cli/import/settle-data.js";
import type { RecordedValue } from "../../../plugins/import/contract.js";
import { emptyValue, impliedType, type ProviderSchema } from "../../../plugins/terraform/schema/index.js";
import { World } from "../terraform/fixture/world.ts";
import { sharedFixture } from "../terraform/fixture-provider.ts";

const fixture = sharedFixture();
let schemas: ProviderSchema;
beforeAll(async () => {
  const { client } = fixture();
  schemas = await client.schema();
  await client.configure({ type: impliedType(schemas.provider.block), value: emptyValue(schemas.provider.block) });
});

const EMPTY = { name: null, name_prefix: null, zone: null, zone_id: null, arn: null, link: null, address: null };
const MORE = {
  size: null,
  public: null,
  labels: null,
  labels_all: null,
  password: null,
  passphrase: null,
  route: null,
  state: "on",
  disk: [],
};

async function settled(own: object, more: Partial<RecordedValue> = {}, refused: readonly string[] = []) {
  const json = JSON.stringify({ id: "c-0a1b2c", title: "t", ...EMPTY, ...MORE, ...own });
  const value: RecordedValue = { by: "state", json, schemaVersion: 0, sensitive: [], ...more };
  const type = "fixture_choice";
  const resource = { address: "a", scope: [], name: "a", type, value, dependencies: [], status: "ready" } as const;
  const schema = schemas.resources[type];
  if (!schema) throw new Error("The fixture has no such type.");
  const of = { provider: "example/fixture", source: "example/fixture", client: fixture().client, schema };
  const result = await settle(resource, { ...of, refused: new Set(refused) });
  if (result.refusal) throw new Error(result.refusal.reason);
  const config: Readonly<Record<string, unknown>> = Object(result.value.config);
  const set = Object.entries(config).filter(([, one]) => one !== null && !(Array.isArray(one) && one.length === 0));
  return { ...result, set: Object.fromEntries(set) };
}

describe("of a resource", () => {
  test("are set if the provider then changes nothing, and each is named", async () => {
    const own = { name: "shop", zone: "eu-1", size: 3, public: false, labels: { team: "a" } };
    const { set, chosen, left } = await settled(own);
    expect(set).toEqual({ title: "t", ...own });
    expect(chosen).toEqual(["name", "zone", "size", "public", "labels"]);
    expect(left).toEqual([]);
  });

  test("are left to the provider if they are its own: ids, addresses, secrets, supersets", async () => {
    const { set, left } = await settled({
      arn: "arn:x",
      link: "https://acme/c-0a1b2c/edit",
      address: "10.0.3.17",
      labels_all: { team: "a", by: "default" },
      password: "hunter2",
    });
    expect(set).toEqual({ title: "t" });
    expect(left).toEqual(["arn", "link", "address", "password"]);
  });

  test("are set if their value is the id that the user gave, as the name of a bucket", async () => {
    expect((await settled({ id: "assets", name: "assets" })).set).toEqual({ title: "t", name: "assets" });
  });

  test("are a prefix, not the name that the provider made from it", async () => {
    expect((await settled({ name: "shop-77", name_prefix: "shop-" })).set).toEqual({
      title: "t",
      name_prefix: "shop-",
    });
  });

  test("are set, although they are secrets, if the provider needs one of them", async () => {
    const { set } = await settled({ title: "guarded", password: "hunter2", passphrase: "", size: 3 });
    expect(set).toEqual({ title: "guarded", password: "hunter2", size: 3 });
    const both = await settled({ title: "guarded", password: "hunter2", passphrase: "open sesame" });
    expect(both.set).toEqual({ title: "guarded", passphrase: "open sesame" });
  });

  test("are set without the empty members that the older kit records, which the provider refuses", async () => {
    const route = [
      { to: "0.0.0.0/0", by: "gw-1", port: 0 },
      { to: "10.0.0.0/8", by: "", port: 0 },
    ];
    const { set, left } = await settled({ route });
    expect(set).toEqual({ title: "t", route: [route[0], { ...route[1], by: null }] });
    expect(left).toEqual([]);
  });

  test("are set as far as the provider accepts them together", async () => {
    const { set, left, refused } = await settled({
      name: "shop",
      size: 3,
      zone: "eu-1",
      zone_id: "z1",
      labels: { a: "b" },
    });
    expect(set).toEqual({ title: "t", name: "shop", size: 3, zone: "eu-1", labels: { a: "b" } });
    expect([left, refused]).toEqual([["zone_id"], ["zone_id"]]);
    const other = await settled({ zone: "eu-1", zone_id: "z1" }, {}, refused);
    expect(other.set).toEqual({ title: "t", zone: "eu-1" });
  });

  test("are set in blocks", async () => {
    const { set, chosen } = await settled({ disk: [{ size: 8, path: "/dev/a" }] });
    expect(set).toEqual({ title: "t", disk: [{ size: 8, path: null }] });
    expect(chosen).toEqual(["disk"]);
  });

  test("of a list are refused with advice for a list if the provider would change the resource at once", async () => {
    new World(fixture().world).put("fixture_behaviour", "b-1", { id: "b-1", name: "one", on_plan: "lie" });
    const value = { by: "id", importId: "b-1" } as const;
    const type = "fixture_behaviour";
    const schema = schemas.resources[type];
    if (!schema) throw new Error("The fixture has no such type.");
    const of = { provider: "example/fixture", source: "example/fixture", client: fixture().client, schema };
    const listed = { address: "a", scope: [], name: "a", type, value, dependencies: [], status: "ready" } as const;
    const { refusal } = await settle(listed, { ...of, refused: new Set() });
    expect(refusal?.advice).toContain('declare it in the program with { adopt: true, importId: "b-1" }');
    expect(refusal?.advice).not.toContain("old configuration");
  });

  test("keep the advice for a change that only the references of the program bring", async () => {
    const { value } = await settled({ name: "shop" });
    const { client } = fixture();
    const adopting = replaying(client, new Map([["a", value]]));
    const change = { typeName: value.typeName, prior: value.value, planned: value.value, config: value.config };
    const type = impliedType(schemas.provider.block);
    const applied = adopting.apply({ ...change, type, plannedPrivate: value.private });
    await expect(applied).rejects.toThrow(/would change "a" .* Apply the old configuration once/);
  });

  test("are those of the configuration if the source records it", async () => {
    const { set, left } = await settled(
      { name: "shop", zone: "eu-1", address: "10.0.3.17" },
      { configured: ["address"] },
    );
    expect(set).toEqual({ title: "t", address: "10.0.3.17" });
    expect(left).toEqual(["name", "zone"]);
  });
});

describe("of a data source whose provider has ended", () => {
  const ended = sharedFixture();

  test("are not left to it", async () => {
    const { client } = ended();
    await client.close();
    const schema = schemas.dataSources.fixture_found;
    if (!schema) throw new Error("The fixture has no such data source.");
    const of = { provider: "example/fixture", source: "example/fixture", client, schema };
    const value = { id: "c-1", name: "one", size: 0 };
    const settling = settleData(subjectOf(of, "fixture_found"), value);
    await expect(settling).rejects.toMatchObject({ code: "PROVIDER_FAILED" });
  });
});

describe("of a data source", () => {
  const found = async (value: object) => {
    const schema = schemas.dataSources.fixture_found;
    if (!schema) throw new Error("The fixture has no such data source.");
    const of = { provider: "example/fixture", source: "example/fixture", client: fixture().client, schema };
    return settleData(subjectOf(of, "fixture_found"), { ...value, size: 0 });
  };

  test("are left out if the provider finds the object without them, and are its id otherwise", async () => {
    const world = new World(fixture().world);
    world.put("fixture_choice", "c-1", { id: "c-1", name: "one" });
    expect(await found({ id: "c-1", name: "one" })).toEqual({ id: null, name: null, size: null });
    world.put("fixture_choice", "c-2", { id: "c-2", name: "two" });
    expect(await found({ id: "c-1", name: "one" })).toEqual({ id: "c-1", name: null, size: null });
    // An object that is no longer there is looked up as before, so that the failure names it.
    expect(await found({ id: "c-3", name: "three" })).toEqual({ id: "c-3", name: null, size: null });
  });
});

test("a value that is set in some resources of a kind and left in others is named with its resources", () => {
  const choices = new Choices();
  const names = ["a", "b", "c", "d", "e"];
  for (const name of names)
    choices.note("acme:thing", `acme_thing.${name}`, {
      chosen: name === "e" ? ["size"] : ["region", "size"],
      left: name === "e" ? ["region"] : ["arn"],
    });
  choices.note("acme:app", "acme_app.web", { chosen: ["region"], left: [] });
  expect(choices.notes).toEqual([
    "The program sets values that a provider could also choose. Remove those that it chose:\nacme:app: region\nacme:thing: region of acme_thing.a, acme_thing.b, acme_thing.c and 1 more, size",
    "The program leaves these values to their provider. Add those that you had configured:\nacme:thing: arn, region of acme_thing.e",
  ]);
});
