import { describe, expect, test } from "vitest";
import { isUnknown } from "../../core/base/index.js";
import { type PolicyOptions, policy } from "../../plugins/policy/index.js";
import { Stage } from "../helpers/apps/stage.js";
import { World } from "../helpers/apps/world.js";

function setUp(options: PolicyOptions) {
  const world = new World();
  const stage = new Stage({ plugins: [policy(options)] });
  const plan = async (program: () => unknown) => {
    await stage.up(program, { plan: true }).catch(() => {});
    const [made] = stage.heard("plan:made");
    return made?.errors.map(({ message }) => message) ?? [];
  };
  return { world, Thing: world.type({ replaceOn: ["name"] }), stage, plan };
}

const budget = { cost: ({ props }: { props: Readonly<Record<string, unknown>> }) => Number(props.value), limit: 10 };

describe("rules", () => {
  test("veto by their names, all that they find", async () => {
    const { world, Thing, stage } = setUp({ rules: { size: () => ["too big", "too dear"], fine: () => undefined } });
    const failures = await stage.failures(() => Thing("a"));
    const said =
      'may not be created:\n  - too big (rule "size") (plugin "policy")\n  - too dear (rule "size") (plugin "policy")';
    expect(failures).toMatchObject([{ code: "VETOED", message: expect.stringContaining(said) }]);
    expect(world.calls).toEqual([]);
  });

  test("that only warn are reported with the resource, and let it pass", async () => {
    const { world, Thing, stage } = setUp({ rules: { owner: { check: () => "no owner", level: "warn" } } });
    await stage.up(() => Thing("a"));
    expect(stage.heard("warning")).toMatchObject([
      { code: "POLICY", fqn: "app/dev/a", message: '"app/dev/a": no owner (rule "owner")' },
    ]);
    expect(world.names).toEqual(["a#1"]);
  });

  test("report all violations of a plan together, and one that meets an unknown value is asked again in the run", async () => {
    const rules: PolicyOptions["rules"] = {
      uses: ({ props }) => (props.uses === undefined || Number(props.uses) < 3 ? undefined : "it uses too much"),
      name: ({ id, props }) => (id === "a" || isUnknown(props.uses) ? undefined : "only a is allowed"),
    };
    const { Thing, plan, stage } = setUp({ rules });
    const program = async (): Promise<void> => {
      const { value } = await Thing("a", { value: 5 });
      await Promise.allSettled([Thing("b", { uses: value }), Thing("c")]);
    };
    expect(await plan(program)).toEqual([expect.stringContaining('"app/dev/c" may not be created: only a is allowed')]);
    expect(await stage.failures(program)).toMatchObject([
      { fqn: "app/dev/b", message: expect.stringContaining("it uses too much") },
      { fqn: "app/dev/c" },
    ]);
  });
});

const keepB: PolicyOptions["rules"] = { keep: { delete: ({ id }) => (id === "b" ? "it is kept" : undefined) } };

describe("rules about deletes", () => {
  test("refuse a prune before anything of it is deleted, not after a part is gone", async () => {
    const { world, Thing, stage } = setUp({ rules: keepB });
    await stage.up(() => Promise.all([Thing("a"), Thing("b"), Thing("c")]));
    expect(await stage.failures(() => {})).toMatchObject([
      { code: "VETOED", message: expect.stringContaining('"app/dev/b": it is kept (rule "keep")') },
    ]);
    expect(world.names).toEqual(["a#1", "b#2", "c#3"]);
  });

  test("refuse a destroy before anything of it is deleted", async () => {
    const { world, Thing, stage } = setUp({ rules: keepB });
    await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
    expect(await stage.failures(() => {}, { phase: "destroy" })).toMatchObject([{ code: "VETOED" }]);
    expect(world.names).toEqual(["a#1", "b#2"]);
  });

  test("see the parts of what is replaced before any of it is deleted", async () => {
    const rules: PolicyOptions["rules"] = {
      no: { delete: ({ id, reason }) => (reason === "replaced" ? `${id} stays` : undefined) },
    };
    const { world, Thing, stage } = setUp({ rules });
    world.on("create a", async () => void (await Thing("part")));
    const program = (name: string) => () => Thing("a", { name }, { deleteBeforeReplace: true });
    await stage.up(program("one"));
    const { names } = world;
    expect(await stage.failures(program("two"))).toMatchObject([
      { code: "VETOED", message: expect.stringContaining("part stays") },
    ]);
    expect(world.names).toEqual(names);
  });

  test("are asked in a plan, which tells what a run would fail with", async () => {
    const { Thing, stage, plan } = setUp({ rules: keepB });
    await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
    expect(await plan(() => Thing("a"))).toEqual([expect.stringContaining('"app/dev/b": it is kept')]);
  });

  test("warn once, and let it go", async () => {
    const { world, Thing, stage } = setUp({ rules: { gone: { delete: () => "it goes", level: "warn" } } });
    await stage.up(() => Thing("a"));
    await stage.up(() => {});
    expect(stage.heard("warning")).toMatchObject([{ code: "POLICY", fqn: "app/dev/a" }]);
    expect(world.names).toEqual([]);
  });
});

describe("rules about what is unchanged", () => {
  const rules: PolicyOptions["rules"] = {
    small: {
      unchanged: true,
      check: ({ action, props }) => (Number(props.value) > 5 ? `${action}: too big` : undefined),
    },
  };

  test("that are newer than a resource find it, and nothing is pruned", async () => {
    const { Thing, stage, world } = setUp({});
    await stage.up(() => Promise.all([Thing("a", { value: 8 }), Thing("b", { value: 1 }), Thing("c", { value: 1 })]));
    const options = { plugins: [{ ...policy({ rules }), replaces: "policy" }] };
    const program = () => Promise.all([Thing("a", { value: 8 }), Thing("b", { value: 2 })]);
    expect(await stage.failures(program, options)).toMatchObject([
      { code: "VETOED", message: expect.stringContaining('"app/dev/a": unchanged: too big (rule "small")') },
    ]);
    expect(world.names).toHaveLength(3);
  });

  test("are not asked twice about what is changed", async () => {
    const { Thing, plan } = setUp({ rules });
    expect(await plan(() => Thing("a", { value: 8 }))).toEqual([expect.stringContaining("create: too big")]);
  });
});

describe("a rule that could never fire", () => {
  test("is a type error", () => {
    // @ts-expect-error Without `delete`, a rule sees no deletes.
    const compares: PolicyOptions = { rules: { one: ({ action }) => (action === "delete" ? "no" : undefined) } };
    expect(() => policy(compares)).not.toThrow();
    // @ts-expect-error Without `unchanged`, a rule sees nothing that is unchanged.
    policy({ rules: { one: { check: ({ action }) => (action === "unchanged" ? "no" : undefined) } } });
    // @ts-expect-error It has no check.
    expect(() => policy({ rules: { one: { level: "warn" } } })).toThrow("with at least check or delete");
  });
});

describe("a budget", () => {
  test("counts what is unchanged, vetoes what goes beyond it, and starts again with each run of one app", async () => {
    const { world, Thing, stage } = setUp({ budget });
    await stage.up(() => Thing("a", { value: 8 }));
    const both = () => Promise.allSettled([Thing("a", { value: 8 }), Thing("b", { value: 3 })]);
    expect(await stage.failures(both)).toMatchObject([
      { fqn: "app/dev/b", message: expect.stringContaining("the program costs 11, but the limit is 10") },
    ]);
    expect(world.names).toEqual(["a#1"]);
    const app = await stage.up(() => Thing("a", { value: 8 }));
    await app.run(() => Thing("a", { value: 9 }));
    await app.finalize();
  });

  test("in a plan is reported once, with the whole sum, also of what was not awaited", async () => {
    const { Thing, plan } = setUp({ budget: { ...budget, currency: "EUR" } });
    const errors = await plan(() => {
      for (const id of ["a", "b", "c"]) Thing(id, { value: 6 });
    });
    expect(errors).toEqual([
      '"app/dev" may not be finalized: the program costs 18 EUR, but the limit is 10 (plugin "policy")',
    ]);
  });

  test("that was lowered fails a run that changes nothing, and nothing is pruned", async () => {
    const { Thing, stage, world } = setUp({});
    await stage.up(() => Promise.all([Thing("a", { value: 20 }), Thing("b")]));
    const failures = await stage.failures(() => Thing("a", { value: 20 }), {
      plugins: [{ ...policy({ budget }), replaces: "policy" }],
    });
    expect(failures).toMatchObject([{ code: "VETOED", fqn: "app/dev" }]);
    expect(world.names).toEqual(["a#1", "b#2"]);
  });

  test("in a plan counts nothing for a text with something unknown in it; the run asks again", async () => {
    const { Thing, plan, stage } = setUp({ budget });
    const program = async (): Promise<void> => {
      const { thing } = await Thing("a", { value: 1 });
      await Thing("b", { value: `${thing}` });
    };
    expect(await plan(program)).toEqual([]);
    expect(await stage.failures(program)).toMatchObject([{ message: expect.stringContaining('"app/dev/b" is NaN') }]);
  });
});
