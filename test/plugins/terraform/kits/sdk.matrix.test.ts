/** Providers made with SDK v1 and v2, with the legacy type system. */
import { describe, expect, test } from "vitest";
import { fixtureStages } from "../lifecycle/fixture-stage.ts";

const made = fixtureStages();

const PROPS = {
  name: "first",
  content: "text",
  payload: "  Some Text ",
  locale: "en_US",
  members: ["a", "b", "c"],
  rule: [{ port: 1 }, { port: 2, text: "two" }],
};

describe("a resource of the older kits", () => {
  test("is created with what its StateFunc makes of it, and stays as it is in the next run and after a refresh", async () => {
    const { stage, fixture, world, asked } = await made();
    let output: Readonly<Record<string, unknown>> = {};
    const program = (props: object) => async () => {
      output = await fixture().sdk!("one", { ...PROPS, ...props });
    };
    await stage.up(program({}));
    expect(output).toMatchObject({ payload: "some text", endpoint: [{ host: "localhost", port: 1 }] });
    expect(world.all("fixture_sdk")).toMatchObject([{ payload: "some text", locale: "en_US" }]);
    await stage.up(program({}), { refresh: true });
    expect(stage.summary).toEqual({ unchanged: 2 });
    // Written differently, but the same to its StateFunc, its DiffSuppress and its sets.
    const same = { payload: "SOME text", locale: "EN_us", members: ["c", "b", "a"], rule: [...PROPS.rule].reverse() };
    await stage.up(program(same));
    expect(stage.summary).toEqual({ unchanged: 2 });
    expect(asked().filter((rpc) => rpc === "ApplyResourceChange")).toHaveLength(1);
    await stage.up(program({ ...same, members: ["c", "b"], rule: [{ port: 1 }] }));
    expect(stage.summary).toMatchObject({ updated: 1 });
    expect(world.all("fixture_sdk")).toMatchObject([{ members: ["c", "b"], rule: [{ port: 1, text: "" }] }]);
  });

  test("has its plan, its drift and its delete", async () => {
    const { stage, fixture, plan, world } = await made({ FIXTURE_KIT: "sdk" });
    const program = (props: object) => () => fixture().sdk!("one", { ...PROPS, ...props });
    await stage.up(program({}));
    const { actions } = await plan(program({ locale: "EN_us" }));
    expect(actions).toEqual([]);
    const [thing] = world.all("fixture_sdk");
    world.put("fixture_sdk", String(thing?.id), { ...thing, rule: [{ port: 7, text: "" }] });
    await stage.up(program({}), { refresh: true });
    expect(stage.summary).toMatchObject({ updated: 1 });
    await stage.up(() => {}, { phase: "destroy" });
    expect(world.all("fixture_sdk")).toEqual([]);
  });
});

describe("a prop that is undefined, where a provider wants one of several", () => {
  test("is named as the cause", async () => {
    const { stage, fixture } = await made();
    const failures = await stage.failures(() => fixture().sdk!("one", { name: "a", content: undefined }));
    expect(failures).toMatchObject([
      {
        code: "PROVIDER_REFUSED",
        message: expect.stringContaining('must be specified\nThe program passes undefined as "content".'),
      },
    ]);
  });

  test("is not named where the error is about something else", async () => {
    const { stage, fixture } = await made();
    const failures = await stage.failures(() => fixture().sdk!("one", { name: "a", locale: undefined }));
    expect(failures).toMatchObject([{ message: expect.not.stringContaining("undefined") }]);
  });
});
