/** The life cycle of a provider's resources, from their create to their delete. */
import { describe, expect, test } from "vitest";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { textIn } from "../../../helpers/apps/secret-stage.js";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();

describe("a resource of a provider", () => {
  test("is made, and what its provider has computed is its output", async () => {
    const { stage, fixture, world, asked } = await made();
    let output: Readonly<Record<string, unknown>> = {};
    await stage.up(async () => {
      output = await fixture().thing!("one", { name: "first", tags: { team: "a" } });
    });
    expect(output).toMatchObject({ name: "first", tags: { team: "a" }, revision: 1, id: "id-1" });
    expect(output.password).toBeInstanceOf(Secret);
    expect(world.all("fixture_thing")).toMatchObject([{ name: "first", id: "id-1" }]);
    expect(asked()).toEqual([
      "ValidateProviderConfig",
      "ConfigureProvider",
      "ValidateResourceConfig",
      "PlanResourceChange",
      "ApplyResourceChange",
    ]);
  });

  test("has not drifted if its provider returns the elements of its sets in another order", async () => {
    const { stage, fixture, plan } = await made();
    const program = () =>
      fixture().sdk!("one", { name: "a", content: "x", members: ["a", "b"], rule: [{ port: 443 }, { port: 80 }] });
    await stage.up(program);
    const drift = async () =>
      await stage.engine.drift("app", { stage: "dev", argv: [], env: {}, stateStore: stage.store });
    expect(await drift()).toMatchObject({ resources: [], errors: [] });
    expect((await plan(program, { refresh: true })).counts).toMatchObject({ update: 0 });
    await stage.up(program, { refresh: true });
    expect(stage.told.filter((one) => one.startsWith("drift"))).toEqual([]);
  });

  test("is left alone where nothing has changed: its provider is not even started", async () => {
    const fixtures = await made();
    const { stage, fixture } = fixtures;
    const program = () => fixture().thing!("one", { name: "first" });
    await stage.up(program);
    expect(fixtures.started).toBe(1);
    await stage.up(program);
    expect([fixtures.started, stage.summary.unchanged]).toEqual([1, 2]);
  });

  test("is deleted once it is no longer declared, and with the stage, before its provider's configuration", async () => {
    const { stage, fixture, world } = await made();
    await stage.up(async () => {
      const { thing } = fixture();
      await thing!("one", { name: "first" });
      await thing!("two", { name: "second" });
    });
    await stage.up(() => fixture().thing!("one", { name: "first" }));
    expect(world.all("fixture_thing")).toMatchObject([{ name: "first" }]);
    await stage.up(() => {}, { phase: "destroy" });
    expect(world.all("fixture_thing")).toEqual([]);
    expect(stage.told.filter((told) => told.startsWith("deleted"))).toEqual(["deleted one", "deleted fixture"]);
  });

  test("is given back to its provider with the types that its values had", async () => {
    const { stage, fixture, world } = await made();
    await stage.up(() => fixture().attributes!("one", { string: "first", dynamic: [1, "x"] }));
    const [before] = world.all("fixture_attributes");
    expect(before).toMatchObject({
      made_dynamic: { type: ["list", "string"] },
      dynamic: { type: ["tuple", ["number", "string"]] },
    });
    await stage.up(() => fixture().attributes!("one", { string: "second", dynamic: [1, "x"] }));
    expect(world.all("fixture_attributes")).toEqual([{ ...before, string: "second" }]);
  });

  test("has arguments that are only written, in blocks too, and recorded nowhere", async () => {
    const { stage, fixture, world } = await made();
    const access = [{ user: "a" }, { user: "b", token: "never-kept" }];
    await stage.up(() => fixture().writeOnly!("one", { name: "a", password: "never-kept", access }));
    expect(world.all("fixture_write_only")).toMatchObject([{ password: null, password_length: 20 }]);
    expect(await textIn(stage.store)).not.toContain("never-kept");
  });
});

describe("what a provider refuses", () => {
  test("fails with the prop that it is about, and nothing is made", async () => {
    const { stage, fixture, world } = await made();
    const failures = await stage.failures(() => fixture().thing!("one", { name: "refused" }));
    expect(failures).toMatchObject([
      {
        code: "PROVIDER_REFUSED",
        message: expect.stringContaining("test/fixture: name: Refused name. Another one, please."),
      },
    ]);
    expect(world.all("fixture_thing")).toEqual([]);
  });
});

test("a provider that crashes is reported in one line with the path of its log, and its stack is not recorded", async () => {
  const { stage, fixture, world, log } = await made();
  const program = (how?: string) => () => fixture().behaviour!("one", { name: "a", ...(how && { onCreate: how }) });
  const [failure] = await stage.failures(program("crash"));
  const { message } = Object(failure);
  expect(message).toMatch(
    /ended with exit code 2 before it answered ApplyResourceChange\. panic: runtime error: invalid memory address\n {2}Its log: \.engine\/logs\/providers\/test\.fixture\.log$/,
  );
  expect(log.some((line) => line.includes("frame49"))).toBe(true);
  expect(await textIn(stage.store)).not.toContain("goroutine");
  // The next run only says that it failed.
  await stage.up(program());
  expect([stage.told.join("\n").includes("frame"), world.all("fixture_behaviour").length]).toEqual([false, 1]);
});

test("an unchanged resource has the output of the new version of its provider, which the next run finds recorded", async () => {
  const { stage, fixture, before, plan, world, asked } = await made();
  let output: Readonly<Record<string, unknown>> = {};
  const program = (of: typeof fixture) => async () => {
    output = await of().renamed!("one", { name: "first" });
  };
  await stage.up(program(before.fixture));
  const [{ ip, id } = { ip: "", id: "" }] = world.all("fixture_renamed");
  expect(output).toEqual({ id, name: "first", ip });
  const upgraded = { id, name: "first", address: ip, zone: "home" };
  const { actions } = await plan(program(fixture));
  expect([actions, output]).toMatchObject([[], upgraded]);
  await stage.up(program(fixture));
  expect([stage.summary, output]).toEqual([{ unchanged: 2 }, upgraded]);
  expect(world.all("fixture_renamed")).toMatchObject([{ id, ip }]);
  asked();
  await stage.up(program(fixture));
  expect([stage.summary, output, asked()]).toEqual([{ unchanged: 2 }, upgraded, []]);
});

describe("a plan", () => {
  const pathsIn = (
    actions: readonly { readonly fqn: string; readonly changes: readonly { readonly path: string }[] }[],
  ) =>
    Object.fromEntries(
      actions.map(({ fqn, changes }) => [fqn.slice("app/dev/".length), changes.map(({ path }) => path)]),
    );

  test("of a create and of a delete shows the props of the program, without those that its provider's types add", async () => {
    const { stage, fixture, plan } = await made();
    const program = async () => {
      const { thing, data } = fixture();
      const one = await thing!("one", { name: "first" });
      await data.lookup!("found", { name: one.name });
    };
    const expected = { one: ["/name"], found: ["/name"] };
    expect(pathsIn((await plan(program)).actions)).toMatchObject(expected);
    await stage.up(program);
    expect(pathsIn((await plan(() => void fixture())).actions)).toMatchObject(expected);
    expect(pathsIn((await plan(() => {}, { phase: "destroy" })).actions)).toMatchObject(expected);
  });

  test("of an update names a new version of the provider in words", async () => {
    const { stage, fixture, before, plan } = await made();
    await stage.up(() => before.fixture().renamed!("one", { name: "first" }));
    const { actions } = await plan(() => fixture().renamed!("one", { name: "second" }));
    expect(actions).toMatchObject([{ reason: "props.name, version of the provider changed" }]);
  });
});
