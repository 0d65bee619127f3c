/** Data sources, ephemeral resources and functions of a provider, and values of every shape. */
import { describe, expect, test } from "vitest";
import { isUnknown } from "../../../../core/base/index.js";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { said } from "../../../helpers/apps/planning.js";
import { textIn } from "../../../helpers/apps/secret-stage.js";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();

type Output = Readonly<Record<string, unknown>>;

describe("a data source", () => {
  test("is looked up in each run, and what depends on it sees what has changed", async () => {
    const { stage, fixture, world } = await made();
    let found: Output = {};
    const program = (size: number) => async () => {
      const { thing, data } = fixture();
      const one = await thing!("one", { name: "first", size });
      found = await data.lookup!("found", { name: "first" }, { dependsOn: [one] });
    };
    await stage.up(program(1));
    expect(found).toMatchObject({ name: "first", size: 1, count: 1, id: "id-1" });
    world.put("fixture_thing", "id-1", { ...world.get("fixture_thing", "id-1"), size: 7 });
    await stage.up(program(1));
    expect(found).toMatchObject({ size: 7 });
    await stage.up(() => {}, { phase: "destroy" });
    expect(world.all("fixture_thing")).toEqual([]);
  });

  test("is looked up by a plan, where what it is asked is known", async () => {
    const { stage, fixture, plan } = await made();
    await stage.up(() => fixture().thing!("one", { name: "first", size: 3 }));
    const seen: unknown[] = [];
    await plan(async () => {
      const { thing, data } = fixture();
      await thing!("one", { name: "first", size: 3 });
      const { size } = await data.lookup!("found", { name: "first" });
      const { id } = await thing!("two", { name: "second" });
      const other = await data.lookup!("other", { name: id });
      seen.push(size, isUnknown(other.size));
    });
    expect(seen).toEqual([3, true]);
  });

  test("is looked up by the run where the plan changes what it depends on, and what it is asked is known", async () => {
    const { stage, fixture, plan } = await made();
    const seen: unknown[] = [];
    const program = (size: number) => async () => {
      const { thing, data } = fixture();
      const one = await thing!("one", { name: "first", size });
      const found = await data.lookup!("found", { name: "first" }, { dependsOn: [one] });
      seen.push(found.name, isUnknown(found.size) ? "unknown" : found.size);
    };
    await plan(program(1));
    await stage.up(program(1));
    await plan(program(1));
    await plan(program(2));
    expect(seen).toEqual(["first", "unknown", "first", 1, "first", 1, "first", "unknown"]);
  });

  test("is looked up once what it looks for is there again, though that was found to be gone", async () => {
    const { stage, fixture, plan, world } = await made();
    let found: Output = {};
    const program = async () => {
      const { thing, data } = fixture();
      const one = await thing!("one", { name: "first" });
      found = await data.lookup!("found", { name: "first" }, { dependsOn: [one] });
    };
    await stage.up(program);
    world.remove("fixture_thing", "id-1");
    await plan(program, { refresh: true });
    await stage.up(program, { refresh: true });
    expect(found.id).toBe(world.all("fixture_thing")[0]?.id);
  });

  test("that finds nothing fails with its reason", async () => {
    const { stage, fixture } = await made();
    const failures = await stage.failures(() => fixture().data.lookup!("found", { name: "nobody" }));
    expect(failures).toMatchObject([
      {
        code: "PROVIDER_REFUSED",
        message: expect.stringContaining('name: No such thing. There is no thing "nobody".'),
      },
    ]);
  });
});

test("what is ephemeral is open for the run, and recorded nowhere", async () => {
  const { stage, fixture, world } = await made();
  let opened: Output = {};
  let during: unknown;
  await stage.up(async () => {
    opened = await fixture().ephemeral.token!("session", { name: "a" });
    during = world.all("fixture_token")[0]?.state;
  });
  expect([Secret.unwrap(opened.token), during]).toEqual(["token-1", "open"]);
  expect(world.all("fixture_token")).toMatchObject([{ state: "closed" }]);
  expect(await textIn(stage.store)).not.toContain("token-1");
});

describe("a function", () => {
  test("is computed by the provider, without a configuration", async () => {
    const { stage, fixture, asked } = await made();
    const results: unknown[] = [];
    await stage.up(async () => {
      const { functions } = fixture();
      results.push(await functions.join!("-", "a", Promise.resolve("b"), new Secret("c")));
      results.push(await functions.divide!(1, "4"));
    });
    expect(results).toEqual([expect.any(Secret), 0.25]);
    expect(Secret.unwrap(results[0])).toBe("a-b-c");
    expect(asked().filter((rpc) => rpc === "ConfigureProvider")).toHaveLength(1);
  });

  test.each([
    ["divide", [1], "INVALID_CALL", "takes 2 arguments, not 1"],
    ["divide", [1, 2, 3], "INVALID_CALL", "takes 2 arguments, not 3"],
    ["join", [], "INVALID_CALL", "takes at least 1 argument, not 0"],
    ["divide", ["one", 2], "INVALID_PROPS", "dividend"],
    ["divide", [1, 0], "PROVIDER_REFUSED", "Nothing can be divided by 0."],
  ] as const)("%s(%j) is refused: %s", async (name, args, code, message) => {
    const { stage, fixture } = await made();
    const failures = await stage.failures(() => fixture().functions[name]!(...args));
    expect(failures).toMatchObject([{ code, message: expect.stringContaining(message) }]);
  });
});

describe("values", () => {
  test("of every type come back as they were given, and are no change the next time", async () => {
    const { stage, fixture, world } = await made();
    const object = { name: "a", count: 1, on: true };
    const props = {
      string: "text",
      number: 12_345_678_901_234_567_890n,
      bool: false,
      list: ["b", "a"],
      set: ["b", "a"],
      map: { "a key": "x", camelCase: "y", snake_case: "z" },
      object,
      tuple: ["a", 1],
      dynamic: { any: ["thing", 1] },
      listOfNumbers: [1, 2.5],
      setOfNumbers: [2, 1],
      listOfObjects: [object],
      setOfObjects: [object],
      mapOfObjects: { one: object },
      mapOfLists: { one: ["a"] },
    };
    let output: Output = {};
    const program = async () => {
      output = await fixture().attributes!("one", props);
    };
    await stage.up(program);
    expect(output).toMatchObject({
      ...props,
      set: expect.arrayContaining(props.set),
      setOfNumbers: expect.arrayContaining([1, 2]),
    });
    expect(world.all("fixture_attributes")).toHaveLength(1);
    await stage.up(program);
    expect(stage.summary.unchanged).toBe(2);
    await stage.up(program, { force: true });
    await stage.up(() => {}, { phase: "destroy" });
    expect(world.all("fixture_attributes")).toEqual([]);
  });

  test("in nested attributes and blocks keep what their provider has made, whatever changes beside them", async () => {
    const { stage, fixture } = await made({ FIXTURE_PROTOCOL: "6" });
    let output: Output = {};
    const program = (size: number) => async () => {
      const { nested, blocks } = fixture();
      output = await nested!("one", { single: { name: "a" }, list: [{ name: "b", size }], map: { c: { name: "c" } } });
      await blocks!("two", { name: "two", rule: { port: 80, target: [{ host: "a" }] }, volume: { a: { size } } });
    };
    await stage.up(program(1));
    const [before] = output.list as readonly Output[];
    expect(before).toMatchObject({ name: "b", size: 1, handle: expect.any(String), key: expect.any(String) });
    await stage.up(program(2));
    expect((output.list as readonly Output[])[0]).toMatchObject({ size: 2, handle: before?.handle, key: before?.key });
    expect(stage.summary).toMatchObject({ updated: 2, unchanged: 1 });
  });

  test("of the older kit for providers may be inexact", async () => {
    const { stage, fixture, plan, log } = await made();
    const program = () => {
      const provider = fixture();
      return Promise.all(["one", "two"].map((id) => provider.legacy!(id, { name: "a" })));
    };
    await stage.up(program);
    // One line, although it applies to both.
    expect(
      log.filter((line) =>
        /^warn test\/fixture \(\S+\) plans values that do not match the configuration: text /.test(line),
      ),
    ).toHaveLength(1);
    expect(said(await plan(program))).toEqual([]);
    await stage.up(() => fixture().legacy!("one", { name: "b", list: ["x"] }));
    expect(stage.summary).toMatchObject({ updated: 1 });
  });
});

test("arguments that are only written reach the provider, and are recorded nowhere", async () => {
  const { stage, fixture, world } = await made();
  const program = (password: string, version: number) => () =>
    fixture().writeOnly!("one", { name: "a", password, passwordVersion: version });
  await stage.up(program("never-kept", 1));
  expect(world.all("fixture_write_only")).toMatchObject([{ password_length: 10 }]);
  await stage.up(program("other", 1));
  expect(stage.summary.unchanged).toBe(2);
  await stage.up(program("other", 2));
  expect(world.all("fixture_write_only")).toMatchObject([{ password_length: 5 }]);
  expect(await textIn(stage.store)).not.toMatch(/never-kept|"other"/);
});
