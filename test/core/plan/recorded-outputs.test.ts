/** An update that names its kept members in `outputs`: a plan does not replace its dependents. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { setUpPlans } from "../../helpers/apps/planning.js";
import { newKind } from "../../helpers/apps/world.js";

interface RoleProps {
  readonly limit: number;
  readonly zone?: string | undefined;
}
interface RoleOutput {
  readonly id: string;
  readonly name: string;
  readonly limit: number;
}

/** @param isSaid true: the type declares that an update keeps the id, and that a name is the physical one */
function setUp(isSaid = true) {
  const planned = setUpPlans();
  const Role = Resource<RoleOutput, RoleProps>(newKind(), {
    create: ({ props, physicalName, uid }) => ({ id: uid, name: physicalName, limit: props.limit }),
    update: ({ props, output }) => ({ ...output, limit: props.limit }),
    delete: () => {},
    replaceOn: ["zone"],
    outputs: ({ props, output, physicalName }) =>
      isSaid ? { ...output, name: physicalName, limit: props.limit } : { limit: props.limit },
  });
  const Database = Resource<{ url: string }, { owner: string }>(newKind(), {
    create: ({ props }) => ({ url: `db://${props.owner}` }),
    delete: () => {},
    describeDelete: () => "drops the database with all its data",
  });
  const program = (props: RoleProps) => async () => {
    const role = await Role("role", props);
    await Database("by-id", { owner: role.id });
    await Database("by-name", { owner: role.name });
  };
  return { ...planned, program };
}

describe("in the plan of an update", () => {
  test("dependents that use what the update keeps are unchanged, and not replaced", async () => {
    const { stage, plan, program } = setUp();
    await stage.up(program({ limit: 1 }));
    const made = await plan(program({ limit: 2 }));
    expect(made.actions.map(({ action, id }) => [action, id])).toEqual([["update", "role"]]);
    expect(made.counts).toMatchObject({ update: 1, replace: 0, unchanged: 2 });
    await stage.up(program({ limit: 2 }));
    expect(stage.summary).toEqual({ updated: 1, unchanged: 2 });
  });

  test("dependents that use what the type does not say are counted apart, as ones that may be replaced", async () => {
    const { stage, plan, program } = setUp(false);
    await stage.up(program({ limit: 1 }));
    const made = await plan(program({ limit: 2 }));
    expect(made.actions.map(({ action, certain }) => [action, certain])).toEqual([
      ["update", true],
      ["replace", false],
      ["replace", false],
    ]);
    expect(made.counts).toEqual({ create: 0, update: 1, replace: 0, adopt: 0, delete: 0, unchanged: 0 });
    expect(made.uncertain).toEqual({ create: 0, update: 0, replace: 2, adopt: 0, delete: 0 });
  });

  test("dependents of what may be replaced, and would be deleted first, do not exceed maxDeletes", async () => {
    const { stage, plan, Thing, world } = setUpPlans();
    const Fixed = world.type({ update: false });
    const program = (value: number) => async () => {
      const role = await Thing("role", { value });
      const disk = await Fixed("disk", { value: role.thing }, { deleteBeforeReplace: true });
      await Fixed("client", { uses: disk, value: disk.thing });
    };
    await stage.up(program(1));
    const made = await plan(program(2), { maxDeletes: 0 });
    expect(made.actions[1]).toMatchObject({ action: "replace", certain: false, deletesFirst: ["app/dev/client"] });
    expect(made.errors).toEqual([]);
  });
});

describe("in the plan of a replacement", () => {
  test("nothing of the old copy is taken for what the new one will be, and the plan can be kept to", async () => {
    const { stage, plan, program } = setUp();
    const folder = await mkdtemp(join(tmpdir(), "recorded-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const planFile = join(folder, "plan.json");
    await stage.up(program({ limit: 1, zone: "x" }));
    const made = await plan(program({ limit: 1, zone: "y" }), { planOut: planFile });
    expect(made.actions.map(({ action, certain, props }) => [action, certain, props])).toEqual([
      ["replace", true, { limit: 1, zone: "y" }],
      ["replace", false, { owner: "(known after apply)" }],
      ["replace", false, { owner: "(known after apply)" }],
    ]);
    await stage.up(program({ limit: 1, zone: "y" }), { planFile });
    expect(stage.summary).toMatchObject({ replaced: 3 });
  });
});

test("in the plan of a create the physical name is known, and the uid is not", async () => {
  const { stage, plan, program } = setUp();
  expect((await plan(program({ limit: 1 }))).actions.map(({ props }) => props)).toEqual([
    { limit: 1 },
    { owner: "(known after apply)" },
    { owner: "app-role-dev" },
  ]);
  await stage.up(program({ limit: 1 }));
  expect(stage.summary).toEqual({ created: 3 });
});
