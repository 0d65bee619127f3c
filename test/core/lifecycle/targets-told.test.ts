import { describe, expect, it } from "vitest";
import type { EngineOptions } from "../../../core/contract/index.js";
import { planLines } from "../../../plugins/console-output/plan-view.js";
import { Stage } from "../../helpers/apps/stage.ts";
import { newSites, newThings } from "../../helpers/apps/things.ts";

const warnings = (stage: Stage): string[] => stage.heard("warning").map(({ code, message }) => `${code}: ${message}`);

async function ran(count: number, options: EngineOptions): Promise<Stage> {
  const { Thing } = newThings();
  const stage = new Stage();
  await stage.up(async () => {
    for (let number = 1; number <= count; number++) await Thing(`n${number}`);
  }, options);
  return stage;
}

describe("what was left out", () => {
  it.each<[string, number, EngineOptions, string]>([
    [
      "is said once",
      3,
      { target: ["**/n2"] },
      "2 resources were left out of this run (not targeted): app/dev/n1, app/dev/n3",
    ],
    [
      "is said to be excluded where there is no target",
      2,
      { exclude: ["**/n2"] },
      "1 resource was left out of this run (excluded): app/dev/n2",
    ],
    [
      "is said to be one or the other where both are given",
      3,
      { target: ["**/n1", "**/n2"], exclude: ["**/n2"] },
      "2 resources were left out of this run (not targeted, or excluded): app/dev/n2, app/dev/n3",
    ],
    [
      "fits into a line or two, however much it is",
      23,
      { target: ["**/n1"] },
      "22 resources were left out of this run (not targeted): app/dev/n2, app/dev/n3, app/dev/n4 and 19 more",
    ],
  ])("%s, before the run is finished", async (_what, count, options, what) => {
    const stage = await ran(count, options);
    expect(warnings(stage)).toEqual([`LEFT_OUT: ${what}`]);
    expect(stage.events.slice(-2).map(({ type }) => type)).toEqual(["warning", "run:finished"]);
  });

  it("is not said where all was selected", async () => {
    expect(warnings(await ran(2, { target: ["app/dev/**"] }))).toEqual([]);
  });

  it("counts orphans that were not pruned, and none of their parts", async () => {
    const { pages, sites } = newSites();
    const stage = new Stage();
    await stage.up(async () => {
      await sites.Thing("site");
      await pages.Thing("other");
    });
    await stage.up(() => pages.Thing("other"), { target: ["**/other"] });
    expect(warnings(stage)).toEqual(["LEFT_OUT: 1 resource was left out of this run (not targeted): app/dev/site"]);
  });
});

describe("a target that matches nothing that is declared or recorded", () => {
  it("fails the run, with the nearest names", async () => {
    const { Thing } = newThings();
    const stage = new Stage();
    const program = async () => {
      await Thing("anna");
      await stage.engine.run("inner", () => Thing("danny"));
      await Thing("other");
    };
    for (const [target, near] of [
      ["**/dann", "app/dev/inner/danny"],
      ["app/dev/ana", "app/dev/anna"],
      ["app/dev/iner/dany", "app/dev/inner/danny"],
      ["**/xyz", undefined],
    ]) {
      const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
      const message = `The target "${target}" matched nothing that is declared or recorded.${hint}`;
      expect(await stage.failures(program, { target: [target ?? ""] })).toMatchObject([{ message }]);
    }
  });

  it("fails it also where others match, and nothing is pruned", async () => {
    const { Thing, there } = newThings();
    const stage = new Stage();
    await stage.up(() => Thing("old"));
    const options = { target: ["**/old", "**/new", "app/dev/typo"] };
    expect(await stage.failures(() => Thing("new"), options)).toMatchObject([{ code: "TARGET_UNMATCHED" }]);
    expect([...there.keys()]).toEqual(["app/dev/old", "app/dev/new"]);
  });

  it("is an error of a plan", async () => {
    const { Thing } = newThings();
    const stage = new Stage();
    await stage.failures(() => Thing("a"), { target: ["**/b", "**/a"], plan: true });
    expect(stage.heard("plan:made")).toMatchObject([
      { counts: { create: 1 }, errors: [{ code: "TARGET_UNMATCHED", message: expect.stringContaining("**/b") }] },
    ]);
  });

  it("is none where something is recorded that it matches", async () => {
    const { Thing } = newThings();
    const stage = new Stage();
    await stage.up(() => Thing("gone"));
    await stage.up(() => {}, { target: ["**/gone"] });
    expect(warnings(stage)).toEqual([]);
  });

  it("is not named where the run has failed: it may not have been reached", async () => {
    const stage = new Stage();
    const broken = new Error("broken");
    expect(await stage.failures(() => Promise.reject(broken), { target: ["**/late"] })).toEqual([broken]);
  });

  it("is named where it matches only parts of what is left out", async () => {
    const { sites } = newSites();
    const stage = new Stage();
    await stage.up(() => sites.Thing("site"));
    expect(await stage.failures(() => sites.Thing("site"), { target: ["app/dev/site/page"] })).toMatchObject([
      {
        code: "TARGET_UNMATCHED",
        message:
          'The target "app/dev/site/page" matched only children of resources that are left out. The handlers that declare the children do not run. Target the resources that contain the children.',
      },
    ]);
  });
});

describe("an exclude that matches nothing that is declared or recorded", () => {
  it("is named in a warning, with the nearest names", async () => {
    const stage = await ran(1, { exclude: ["**/m1"] });
    expect(warnings(stage)).toEqual([
      'TARGET_UNMATCHED: The exclude "**/m1" matched nothing that is declared or recorded. Did you mean "app/dev/n1"?',
    ]);
  });
});

describe("a plan", () => {
  it("lists what it left out with the reason, and warns of nothing", async () => {
    const { Thing } = newThings();
    const stage = new Stage();
    await stage.up(
      async () => {
        const db = await Thing("db");
        await Thing("api", {}, { dependsOn: [db] });
        await Thing("web");
        await Thing("other");
      },
      { target: ["**/web", "**/api"], exclude: ["**/db"], excludeDependents: true, plan: true },
    );
    const [plan] = stage.heard("plan:made");
    expect(plan?.leftOut.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([
      "db: excluded",
      'api: refers to "app/dev/db", which is excluded',
      "other: not targeted",
    ]);
    expect(warnings(stage)).toEqual([]);
    expect(plan && planLines(plan)).toContain("Left out by target or exclude: 3 resources.");
  });

  it("shows no such line where nothing was left out", async () => {
    const stage = await ran(1, { plan: true });
    const [plan] = stage.heard("plan:made");
    expect(plan?.leftOut).toEqual([]);
    expect(plan && planLines(plan).join("\n")).not.toContain("Left out");
  });
});
