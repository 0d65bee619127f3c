import { describe, expect, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { said, setUpPlans } from "../../helpers/apps/planning.js";
import { newKind } from "../../helpers/apps/world.js";

describe("a plan", () => {
  test("lists what stays for want of anybody who could tell, and what stays behind that", async () => {
    const { plan, Thing, stage, world } = setUpPlans();
    world.fails("create b");
    await stage
      .up(async () => {
        const { thing } = await Thing("a", { value: "some text" });
        await Thing("unrelated");
        await Thing("b", { value: `of ${thing}` }).catch(() => {});
      })
      .catch(() => {});
    const made = await plan(() => {});
    expect(made.actions.map(({ action, fqn }) => `${action} ${fqn}`)).toEqual(["delete app/dev/unrelated"]);
    expect(made.kept.map(({ fqn, reason }) => `${fqn}: ${reason}`)).toEqual([
      "app/dev/b: its interrupted create may have taken effect",
      'app/dev/a: "app/dev/b" may still exist and use it',
    ]);
  });

  test("prunes no child that the handler of its changed parent may declare again", async () => {
    const { plan, Thing, stage, world } = setUpPlans();
    world.on("create parent", async () => void (await Thing("child")));
    await stage.up(() => Thing("parent", { value: 1 }));
    await stage.up(() => Thing("parent", { value: 2 }), { noop: true });
    expect(said(await plan(() => Thing("parent", { value: 2 })))).toEqual([
      "delete parent/child: no longer declared by its parent",
    ]);
    const made = await plan(() => Thing("parent", { value: 3 }));
    expect(said(made)).toEqual(["update parent: props.value changed"]);
    expect(made.unknown.map(({ fqn }) => fqn)).toEqual(["app/dev/parent/child"]);
  });

  test("says where it stopped without the markers of what is not known", async () => {
    const { plan, Thing } = setUpPlans();
    const made = await plan(async () => {
      const { thing } = await Thing("a");
      throw new Error(`No place for ${thing}.`);
    });
    expect(made.stopped).toBe("No place for (known after apply).");
  });

  test("refuses props that hold themselves as a run does, also of a type with a schema", async () => {
    const { plan } = setUpPlans();
    const Checked = Resource<{ ok: boolean }, { value: unknown }, { value: unknown }>(newKind(), {
      create: () => ({ ok: true }),
      schema: {
        "~standard": { version: 1, vendor: "test", validate: (given) => ({ value: { value: Object(given).value } }) },
      },
    });
    const value: { self?: unknown } = {};
    value.self = value;
    await expect(plan(() => Checked("a", { value }))).rejects.toMatchObject({ errors: [{ code: "UNSERIALIZABLE" }] });
  });
});

describe("a refresh", () => {
  test("looks again where a scope has other options than the run", async () => {
    const { plan, stage } = setUpPlans();
    const looks: string[] = [];
    const handlers = (where: string) => ({
      create: () => ({ where }),
      update: () => ({ where }),
      delete: () => {},
      read: ({ output }: { readonly output: { where: string } | undefined }) => {
        looks.push(where);
        return output?.where === where ? output : undefined;
      },
    });
    const Queue = Resource<{ where: string }, object>(newKind(), {
      ...handlers("remote"),
      recognizesOwn: true,
      local: handlers("local"),
    });
    const program = async () => {
      await Queue("outer", {});
      await stage.engine.run("inner", { local: true }, () => Queue("queue", {}));
    };
    await stage.up(program);
    const made = await plan(program, { refresh: true });
    expect(made.counts).toMatchObject({ create: 0, unchanged: 2 });
    expect(looks).toEqual(["remote", "local", "local"]);
  });
});
