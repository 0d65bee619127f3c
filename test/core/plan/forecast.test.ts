/** Types with a `plan` handler, which predicts a change. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isUnknown } from "../../../core/base/index.js";
import type { Forecast, PlanContext } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { said, setUpPlans } from "../../helpers/apps/planning.js";
import { newKind } from "../../helpers/apps/world.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plan-forecast-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Props {
  readonly name: string;
  readonly size?: unknown;
}
interface Output {
  readonly address: string;
  readonly name: string;
}
type Asked = PlanContext<Output, Props>;

/** A service that predicts changes: another case of a name is not a change, another name is a new object. */
function setUp(plan: (asked: Asked) => Forecast<Output> | Promise<Forecast<Output>> = answer) {
  const planning = setUpPlans();
  const calls: string[] = [];
  const Host = Resource<Output, Props>(newKind(), {
    create: ({ id, props }) => {
      calls.push(`create ${id}`);
      return { address: `10.0.0.${props.name.length}`, name: props.name };
    },
    update: ({ id, props, previous, output, replace, unchanged }) => {
      if (isOther(props, output)) return replace(true);
      calls.push(`update ${id}`);
      return props.size === previous.size ? unchanged(output) : output;
    },
    delete: ({ id }) => void calls.push(`delete ${id}`),
    async plan(asked) {
      calls.push(`plan ${asked.id}`);
      return await plan(asked);
    },
  });
  return { ...planning, calls, Host };
}

const isOther = (props: Props, output: Output): boolean => props.name.toLowerCase() !== output.name;

function answer({ props, previous, output }: Asked): Forecast<Output> {
  if (!output) return { outputs: { name: props.name } };
  if (isOther(props, output)) return { action: "replace", forcedBy: ["/name"], outputs: { name: props.name } };
  return props.size === previous?.size ? { action: "unchanged" } : { outputs: output };
}

describe("a type that is asked for a plan", () => {
  test("says what is known beforehand of something new, and nothing is made", async () => {
    const { plan, Host, calls } = setUp();
    let seen: Output | undefined;
    const made = await plan(async () => {
      seen = await Host("a", { name: "a" });
    });
    expect([said(made), calls]).toEqual([["create a: not recorded"], ["plan a"]]);
    expect([seen?.name, isUnknown(seen?.address)]).toEqual(["a", true]);
  });

  test("is not asked about what has not changed", async () => {
    const { plan, stage, Host, calls } = setUp();
    await stage.up(() => Host("a", { name: "a" }));
    const made = await plan(() => Host("a", { name: "a" }));
    expect([made.actions, made.counts.unchanged, calls]).toEqual([[], 1, ["create a"]]);
  });

  test("may find that nothing has to be done: what depends on it is given what is recorded", async () => {
    const { plan, stage, Host, Thing } = setUp();
    const program = (name: string) => async () => {
      const { address } = await Host("a", { name });
      await Thing("b", { value: address });
    };
    await stage.up(program("a"));
    const made = await plan(program("A"));
    expect([made.actions, made.counts]).toMatchObject([[], { unchanged: 2, update: 0 }]);
  });

  test("may find that nothing has to be done, and that the output is another one: what depends on it is given that", async () => {
    const { plan, stage, Host } = setUp(() => ({ action: "unchanged", outputs: { address: "10.0.0.9", name: "new" } }));
    await stage.up(() => Host("a", { name: "a" }));
    let seen: Output | undefined;
    const made = await plan(async () => {
      seen = await Host("a", { name: "A" });
    });
    expect([made.actions, seen]).toEqual([[], { address: "10.0.0.9", name: "new" }]);
  });

  test("may find that it takes another thing, and names what forces that", async () => {
    const { plan, stage, Host } = setUp();
    await stage.up(() => Host("a", { name: "a" }));
    const made = await plan(() => Host("a", { name: "b" }));
    expect(said(made)).toEqual(["replace a: props.name changed, which forces a replacement"]);
    expect(made.actions).toMatchObject([{ certain: true, mayReplace: false }]);
  });

  test("sees which of the props are not known yet; then an update may become a replace", async () => {
    const asked: unknown[] = [];
    const { plan, stage, Host, Thing } = setUp(({ props, output }) => {
      asked.push(isUnknown(props.size));
      return output ? {} : { outputs: { name: props.name } };
    });
    await stage.up(() => Host("a", { name: "a", size: 1 }));
    const made = await plan(async () => {
      const { made: size } = (await Thing("new")) as unknown as { made: unknown };
      await Host("a", { name: "a", size });
    });
    expect(asked).toEqual([true]);
    expect(made.actions.at(-1)).toMatchObject({ action: "update", certain: false, mayReplace: true });
  });

  test("may ask others and be refused: that is an error of the plan, whatever else is not known", async () => {
    const { plan, Host, Thing } = setUp(() => Promise.reject(new Error("no such size")));
    const planning = plan(() => Promise.allSettled([Thing("b"), Host("a", { name: "a" })]));
    await expect(planning).rejects.toMatchObject({
      errors: [{ code: "HANDLER_FAILED", message: 'plan of "app/dev/a" failed: no such size' }],
    });
  });

  test.each([
    ["nothing", undefined, "not undefined"],
    ["an action that there is not", { action: "delete" }, 'not the action "delete"'],
  ])("is reported if it gives %s", async (_what, given, message) => {
    const { plan, Host } = setUp(() => given as Forecast<Output>);
    await expect(plan(() => Host("a", { name: "a" }))).rejects.toMatchObject({
      errors: [{ code: "INVALID_DEFINITION", message: expect.stringContaining(message) }],
    });
  });

  test("is asked again by a run that keeps to the plan, which does what was foreseen", async () => {
    const { plan, stage, Host, calls, world } = setUp();
    const declare =
      (...[a, b]: [string, string]) =>
      () =>
        Promise.all([Host("a", { name: a }), Host("b", { name: b })]);
    await stage.up(declare("a", "b"));
    const planFile = join(folder, "plan.json");
    await plan(declare("A", "c"), { planOut: planFile });
    world.news();
    calls.length = 0;
    await stage.up(declare("A", "c"), { planFile });
    expect(calls.filter((call) => !call.startsWith("plan")).sort()).toEqual(["create b", "delete b", "update a"]);
    expect(stage.summary).toMatchObject({ replaced: 1, unchanged: 1 });
  });

  test("may have nothing to update after all: that is recorded, and counts as no change", async () => {
    const { stage, Host, calls } = setUp();
    await stage.up(() => Host("a", { name: "a" }));
    await stage.up(() => Host("a", { name: "A" }));
    expect([calls, stage.summary, stage.told]).toEqual([
      ["create a", "update a"],
      { unchanged: 1 },
      ["started a", "unchanged a"],
    ]);
    await stage.up(() => Host("a", { name: "A" }));
    expect(calls).toHaveLength(2);
  });

  test("sees what it depends on and is about to change", async () => {
    const asked: unknown[] = [];
    const { plan, stage, Host, Thing } = setUp(({ changing }) => {
      asked.push(changing.map(({ id }) => id).sort());
      return {};
    });
    const program = (value: number) => async () => {
      const [one, other] = [Thing("one", { value: 1 }), Thing("other", { value })];
      await Host("a", { name: "a", size: value }, { dependsOn: [one, other] });
    };
    await plan(program(1));
    await stage.up(program(1));
    await plan(program(2));
    expect(asked).toEqual([["one", "other"], ["other"]]);
  });

  test("may call itself unchanged in an update only", async () => {
    const { stage } = setUp();
    const Wrong = Resource<Output, Props>(newKind(), {
      create: ({ unchanged }) => unchanged({ address: "", name: "" }),
    });
    const failures = await stage.failures(() => Wrong("a", { name: "a" }));
    expect(failures).toMatchObject([{ code: "INVALID_CALL" }]);
  });

  test("is not asked by a run that keeps to no plan", async () => {
    const { stage, Host, calls } = setUp();
    await stage.up(() => Host("a", { name: "a" }));
    await stage.up(() => Host("a", { name: "b" }));
    expect(calls).toEqual(["create a", "delete a", "create a"]);
  });
});
