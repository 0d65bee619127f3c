/** Stages with a Go provider that behaves like those of older kits. */
import { afterEach, expect, test } from "vitest";
import type { PendingResource } from "../../../../core/contract/index.js";
import type { ProviderDefinition } from "../../../../plugins/terraform/generate/index.js";
import { Offering, type ProviderResourceOptions } from "../../../../plugins/terraform/lifecycle/index.js";
import { launchProvider } from "../../../../plugins/terraform/protocol/index.js";
import { secretStage } from "../../../helpers/apps/secret-stage.js";
import type { Stage } from "../../../helpers/apps/stage.js";
import { describeUnless, given } from "../../../servers/given.ts";
import { builtInGo } from "./built.ts";

type Env = Readonly<Record<string, string>>;
type Output = Readonly<Record<string, unknown>>;
type Thing = (id: string, props: object, options?: ProviderResourceOptions) => PendingResource<Output>;

describeUnless(await given("go"), "a provider in Go", () => {
  const launch = builtInGo();
  const stages: Stage[] = [];
  afterEach(() => stages.splice(0));

  /** @param version of the provider */
  async function offeredBy(env: Env, version = "1.0.0"): Promise<() => Thing> {
    const open = async (own: Env, signal?: AbortSignal) =>
      launchProvider({ ...launch({ ...env, ...own }), logFile: "go.log", ...(signal && { signal }) });
    const client = await open({});
    const { resources } = await client.schema();
    await client.close();
    const definition: ProviderDefinition = {
      source: "registry.opentofu.org/test/go",
      range: "*",
      version,
      capabilities: { planDestroy: false, schemaOptional: false, moveResourceState: false },
      config: JSON.stringify({ version: 0, block: { attributes: {}, blocks: {} } }),
      dataSources: {},
      ephemeral: {},
      functions: {},
      resources: { thing: { type: "go_thing", schema: JSON.stringify(resources.go_thing) } },
    };
    const offering = new Offering(definition, (_source, own, { signal }) => open(own, signal));
    return () => (offering.configured({}, {}) as { readonly thing: Thing }).thing;
  }

  async function ran(stage: Stage, thing: () => Thing, props: object, options?: ProviderResourceOptions) {
    let output: Output = {};
    await stage.up(async () => {
      output = await thing()("one", props, options);
    });
    return output;
  }

  test("that knows its types once it was asked for its schemas makes, leaves and deletes", async () => {
    const thing = await offeredBy({ GO_FIXTURE_KIT: "framework-1.3" });
    const stage = secretStage();
    expect(await ran(stage, thing, { name: "a" })).toMatchObject({ id: "go-1", name: "a" });
    await ran(stage, thing, { name: "a" });
    expect(stage.summary).toMatchObject({ unchanged: 2 });
    await stage.up(() => {}, { phase: "destroy" });
    expect(stage.summary).toMatchObject({ deleted: 2 });
  });

  test("of the legacy type system stores another text than was given, and stays unchanged", async () => {
    const thing = await offeredBy({ GO_FIXTURE_KIT: "sdk" });
    const stage = secretStage();
    expect(await ran(stage, thing, { name: "Some Name" })).toMatchObject({ name: "some name", tags: {} });
    await ran(stage, thing, { name: "SOME name" });
    expect(stage.summary).toMatchObject({ unchanged: 2 });
    await ran(stage, thing, { name: "other", words: ["b", "a"] });
    expect(stage.summary).toMatchObject({ updated: 1 });
    await ran(stage, thing, { name: "other", words: ["a", "b"] });
    expect(stage.summary).toMatchObject({ unchanged: 2 });
  });

  test("that has renamed an attribute gives it by its new name, for what is unchanged as well", async () => {
    const stage = secretStage();
    const before = await offeredBy({ GO_FIXTURE_OLD: "1" }, "0.9.0");
    expect(await ran(stage, before, { constructor_: "a" })).toMatchObject({ constructor_: "a" });
    const output = await ran(stage, await offeredBy({}), { name: "a" });
    expect(output).toMatchObject({ name: "a", id: "go-1" });
    expect(stage.summary).toEqual({ unchanged: 2 });
  });

  test("that crashes is reported in a line and its log, and the next run does not repeat its stack", async () => {
    const thing = await offeredBy({});
    const stage = secretStage();
    const errors = await stage.failures(() => thing()("one", { name: "panic" }));
    const line = expect.stringContaining("panic: nobody thought of this\n  Its log: go.log");
    expect(errors).toMatchObject([{ message: line }]);
    await ran(stage, thing, { name: "b" });
    expect(JSON.stringify(stage.heard("warning"))).not.toContain("goroutine");
  });

  test("whose token is refused when it is first needed fails, and nothing is made", async () => {
    const thing = await offeredBy({ GO_FIXTURE_TOKEN: "bad" });
    const stage = secretStage();
    const errors = await stage.failures(() => thing()("one", { name: "a" }));
    expect(errors).toMatchObject([{ message: expect.stringContaining("401: who are you?") }]);
  });

  test("imports what there is, and refuses what there is not", async () => {
    const thing = await offeredBy({});
    const stage = secretStage();
    expect(await ran(stage, thing, {}, { adopt: true, importId: "go-1" })).toMatchObject({ id: "go-1" });
    const other = secretStage();
    const errors = await other.failures(() => thing()("one", {}, { adopt: true, importId: "none" }));
    expect(errors).toMatchObject([{ message: expect.stringContaining("none") }]);
  });
});
