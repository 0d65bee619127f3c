import { describe, expect, test } from "vitest";
import type { EngineOptions } from "../../../core/contract/index.js";
import { type Planned, said, setUpPlans } from "../../helpers/apps/planning.js";

const protect = { protect: true } as const;

/** The contents of a plan that is refused. */
async function refused({ stage }: Planned, options: EngineOptions = {}) {
  const errors = await stage.failures(() => {}, { ...options, plan: true });
  const made = stage.heard("plan:made").at(-1);
  if (!made) throw new Error("There is no plan.");
  return { errors, actions: said(made), kept: made.kept.map(({ fqn, reason }) => `${fqn}: ${reason}`) };
}

describe("a plan in which something protected would be deleted", () => {
  test("hides no other delete", async () => {
    const planned = setUpPlans();
    const { Thing, stage } = planned;
    await stage.up(async () => {
      await Thing("a");
      await Thing("b", {}, protect);
      await Thing("c");
    });
    const made = await refused(planned);
    expect(made.errors).toMatchObject([{ code: "PROTECTED", fqn: "app/dev/b" }]);
    expect(made.actions).toEqual(["delete c: no longer declared", "delete a: no longer declared"]);
    expect(made.kept).toEqual(["app/dev/b: protected"]);
  });

  test("keeps its parts, what it is a part of, and what it refers to", async () => {
    const planned = setUpPlans();
    const { Thing, stage, world } = planned;
    world.on("create whole", async () => {
      await Thing("guarded", {}, protect);
      await Thing("other");
    });
    world.on("create guarded", async () => void (await Thing("piece")));
    await stage.up(async () => {
      const net = await Thing("net", { uses: await Thing("zone") });
      await Thing("whole", { uses: net });
      await Thing("apart");
    });
    for (const options of [{}, { phase: "destroy" as const }]) {
      const made = await refused(planned, options);
      expect(made.errors).toMatchObject([{ code: "PROTECTED", fqn: "app/dev/whole/guarded" }]);
      expect(made.actions.map((line) => line.split(":")[0])).toEqual(["delete apart", "delete whole/other"]);
      expect(made.kept.toSorted()).toEqual([
        "app/dev/net: needed by a protected resource",
        "app/dev/whole/guarded/piece: child of a protected resource",
        "app/dev/whole/guarded: protected",
        "app/dev/whole: needed by a protected resource",
        "app/dev/zone: needed by a protected resource",
      ]);
    }
  });

  test("lists what is targeted, too, where what refers to it is left out", async () => {
    const planned = setUpPlans();
    const { Thing, stage } = planned;
    await stage.up(async () => {
      await Thing("web", { uses: await Thing("db") });
      await Thing("old");
    });
    const made = await refused(planned, { target: ["app/dev/db", "app/dev/old"] });
    expect(made.errors).toMatchObject([{ code: "DEPENDENTS_LEFT_OUT", fqn: "app/dev/db" }]);
    expect(made.actions).toEqual(["delete old: no longer declared", "delete db: no longer declared"]);
  });
});
