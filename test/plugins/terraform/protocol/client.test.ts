import { describe, expect, test } from "vitest";
import { Unknown } from "../../../../plugins/terraform/cty/index.js";
import type { Typed } from "../../../../plugins/terraform/protocol/index.js";
import { toJson } from "../fixture/json.ts";
import type { CtyRecord } from "../fixture/kind.ts";
import { providerConfig, resources } from "../fixture/provider.ts";
import { functions, lookup, token } from "../fixture/types/others.ts";
import { thing } from "../fixture/types/thing.ts";
import { valueOfSchema } from "../fixture/value-of-schema.ts";
import { recordedIn, World } from "../fixture/world.ts";
import { fixtures, sharedFixture } from "../fixture-provider.ts";

const NOTHING = new Uint8Array();

describe.each([
  [5, "with TLS"],
  [6, "plain"],
])("protocol %i, %s", (protocol, how) => {
  const launched = fixtures();
  const launch = () => launched({ FIXTURE_PROTOCOL: String(protocol), FIXTURE_PLAIN: how === "plain" ? "1" : "" });

  test("a thing is planned, made, read and deleted", async () => {
    const { client, world } = await launch();
    expect(client.protocol).toBe(protocol);
    const schema = await client.schema();
    const thing = schema.resources.fixture_thing!;
    const config = valueOfSchema(thing, { name: "one" });
    const given = { typeName: "fixture_thing", type: config.type, config: config.value };
    expect(await client.validateResource("fixture_thing", config)).toEqual({ diagnostics: [] });
    const planned = await client.plan({ ...given, prior: null, proposed: config.value, priorPrivate: NOTHING });
    expect(planned).toMatchObject({ planned: { name: "one", id: new Unknown() }, requiresReplace: [] });
    const { planned: value, plannedPrivate } = planned;
    const applied = await client.apply({ ...given, prior: null, planned: value, plannedPrivate });
    expect(applied).toMatchObject({ value: { name: "one", id: "id-1", revision: 1 }, diagnostics: [] });
    const read = { ...given, current: applied.value, private: applied.private };
    expect(await client.read(read)).toMatchObject({ value: applied.value });
    const gone = { ...given, prior: applied.value, planned: null, config: null, plannedPrivate: NOTHING };
    expect(await client.apply(gone)).toMatchObject({ value: null, diagnostics: [] });
    expect(await client.read(read)).toMatchObject({ value: null });
    expect(recordedIn(world).map(({ rpc }) => rpc)).toEqual([
      protocol === 5 ? "GetSchema" : "GetProviderSchema",
      protocol === 5 ? "ValidateResourceTypeConfig" : "ValidateResourceConfig",
      "PlanResourceChange",
      "ApplyResourceChange",
      "ReadResource",
      "ApplyResourceChange",
      "ReadResource",
    ]);
  });
});

describe.each([5, 6])("every question of protocol %i", (protocol) => {
  const shared = sharedFixture({ FIXTURE_PROTOCOL: String(protocol), FIXTURE_PLAIN: protocol === 5 ? "1" : "" });

  test("its schema", async () => {
    const { client } = shared();
    const schema = await client.schema();
    expect(await client.schema()).toBe(schema);
    expect(schema.capabilities).toEqual({ planDestroy: true, schemaOptional: true, moveResourceState: true });
    expect(schema.provider).toEqual(providerConfig);
    for (const [name, { schema: expected, isOfProtocol6 }] of Object.entries(resources)) {
      expect(schema.resources[name]).toEqual(isOfProtocol6 && protocol === 5 ? undefined : expected);
    }
    expect(schema.dataSources.fixture_lookup).toEqual(lookup.schema);
    expect(schema.ephemeral.fixture_token).toEqual(token.schema);
    expect(schema.functions).toEqual(
      Object.fromEntries(Object.entries(functions).map(([name, { definition }]) => [name, definition])),
    );
  });

  test("its own configuration", async () => {
    const { client } = shared();
    const config = (given: CtyRecord) => valueOfSchema(providerConfig, given);
    const right = config({ token: "right" });
    const prepared = protocol === 5 ? { prepared: right.value } : {};
    expect(await client.validateProvider(right)).toEqual({ diagnostics: [], ...prepared });
    expect((await client.validateProvider(config({ token: "refused" }))).diagnostics).toEqual([
      { severity: "error", summary: "Refused token", detail: "", path: ["token"] },
    ]);
    expect((await client.configure(config({ token: "wrong" }))).diagnostics).toMatchObject([
      { summary: "Wrong token" },
    ]);
    expect(await client.configure(right)).toEqual({ diagnostics: [] });
  });

  test("what it says of props", async () => {
    const { client } = shared();
    const config = valueOfSchema(thing.schema, { name: "refused", size: -1, old_name: "x" });
    expect((await client.validateResource("fixture_thing", config)).diagnostics).toEqual([
      { severity: "error", summary: "Refused name", detail: "Another one, please.", path: ["name"] },
      { severity: "error", summary: "Negative size", detail: "", path: ["size"] },
      { severity: "warning", summary: "Old name", detail: "", path: ["old_name"] },
    ]);
    expect(await client.validateDataSource("fixture_lookup", valueOfSchema(lookup.schema))).toEqual({
      diagnostics: [],
    });
    expect(await client.validateEphemeral("fixture_token", valueOfSchema(token.schema))).toEqual({ diagnostics: [] });
  });

  test("states of other versions, of another type, and of what was there before", async () => {
    const { client, world } = shared();
    const { type } = valueOfSchema(resources.fixture_versioned!.schema);
    const raw = { json: Buffer.from(JSON.stringify({ id: "id-1", title: "old", size: "12" })) };
    const upgraded = await client.upgrade({ typeName: "fixture_versioned", type, version: 0, raw });
    expect(upgraded).toEqual({ value: { id: "id-1", name: "old", size: 12 }, diagnostics: [] });

    const { type: thingType, value } = valueOfSchema(thing.schema, { id: "a b", name: "there", size: 2n ** 70n + 1n });
    new World(world).put("fixture_thing", "a b", Object(toJson(value)));
    const imported = await client.import({ typeName: "fixture_thing", id: "a b", types: () => thingType });
    const one = { typeName: "fixture_thing", value, private: new Uint8Array(Buffer.from("imported")) };
    expect(imported).toEqual({ imported: [one], diagnostics: [] });
    const none = await client.import({ typeName: "fixture_thing", id: "c", types: () => thingType });
    expect(none).toMatchObject({ imported: [], diagnostics: [{ summary: "No such thing" }] });

    const moved = await client.move({
      sourceProvider: "registry.example/example/fixture",
      sourceType: "fixture_thing",
      sourceVersion: 0,
      source: { json: Buffer.from(JSON.stringify({ id: "a b", name: "there", size: 3 })) },
      sourcePrivate: Buffer.from("p"),
      typeName: "fixture_moved_thing",
      type: valueOfSchema(resources.fixture_moved_thing!.schema).type,
    });
    const bytes = new Uint8Array(Buffer.from("p"));
    expect(moved).toEqual({ value: { id: "a b", name: "there", size: 3 }, private: bytes, diagnostics: [] });
  });

  test("what replaces, and private bytes", async () => {
    const { client } = shared();
    const { type, value } = valueOfSchema(thing.schema, { id: "1", name: "n", region: "east" });
    const proposed = { ...value, region: "west" };
    const plan = { typeName: "fixture_thing", type, prior: value, proposed, config: proposed, priorPrivate: NOTHING };
    expect(await client.plan(plan)).toMatchObject({ requiresReplace: [["region"]], hasLegacyTypes: false });

    const own = valueOfSchema(resources.fixture_private!.schema, { name: "p" });
    const create = { typeName: "fixture_private", type: own.type, prior: null, config: own.value };
    const planned = await client.plan({ ...create, proposed: own.value, priorPrivate: Buffer.from("x") });
    expect(Buffer.from(planned.plannedPrivate).toString()).toBe("xp");
    const applied = await client.apply({ ...create, ...planned });
    expect(applied.value).toMatchObject({ seen: "xp" });
    const read = { typeName: "fixture_private", type: own.type, current: applied.value, private: applied.private };
    expect(Buffer.from((await client.read(read)).private).toString()).toBe("xpar");
  });

  test("data sources, ephemeral resources and functions", async () => {
    const { client, world } = shared();
    new World(world).put("fixture_thing", "1", { id: "1", name: "n", size: 4 });
    const found = await client.readDataSource("fixture_lookup", valueOfSchema(lookup.schema, { name: "n" }));
    expect(found).toEqual({ value: { id: "1", name: "n", size: 4, count: 1 }, diagnostics: [] });

    const opened = await client.openEphemeral("fixture_token", valueOfSchema(token.schema, { name: "t" }));
    expect(opened).toMatchObject({ value: { name: "t" }, renewAt: new Date(1_800_000_000_000) });
    const renewed = await client.renewEphemeral("fixture_token", opened.private);
    expect(renewed).toMatchObject({ private: opened.private, renewAt: new Date(1_800_003_600_500) });
    expect(await client.closeEphemeral("fixture_token", renewed.private)).toEqual({ diagnostics: [] });
    expect(new World(world).get("fixture_token", Buffer.from(opened.private).toString())).toEqual({
      name: "t",
      state: "closed",
    });

    const text = (value: string): Typed => ({ type: "string", value });
    expect(await client.call("join", [text("-"), text("a"), text("b")], "string")).toBe("a-b");
    const numbers = [1, 0].map((value): Typed => ({ type: "number", value }));
    await expect(client.call("divide", numbers, "number")).rejects.toMatchObject({
      code: "PROVIDER_REFUSED",
      message: "The function divide failed because of argument 2: Nothing can be divided by 0.",
    });
    await expect(client.call("fail", [], "bool")).rejects.toThrow("The function fail failed: It always fails.");
    await client.stop();
    expect(recordedIn(world).at(-1)).toEqual({ rpc: protocol === 5 ? "Stop" : "StopProvider" });
  });
});
