import { describe, expect, it } from "vitest";
import type { EngineOptions } from "../../../core/options.js";
import { planLines } from "../../../plugins/console/plan-view.js";
import { Stage } from "../../helpers/stage.ts";
import { newThings } from "../../helpers/things.ts";

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
  it("is said once, before the run is finished", async () => {
    const stage = await ran(3, { target: ["**/n2"] });
    expect(warnings(stage)).toEqual([
      "LEFT_OUT: Left out of this run, for it was not targeted: 2 resources (app/dev/n1, app/dev/n3)",
    ]);
    expect(stage.events.slice(-2).map(({ type }) => type)).toEqual(["warning", "run:finished"]);
  });

  it("is said to be excluded where there is no target", async () => {
    const stage = await ran(2, { exclude: ["**/n2"] });
    expect(warnings(stage)).toEqual(["LEFT_OUT: Left out of this run, for it was excluded: 1 resource (app/dev/n2)"]);
  });

  it("is named up to 20", async () => {
    const [warning] = warnings(await ran(23, { target: ["**/n1"] }));
    expect(warning).toContain("22 resources (app/dev/n2,");
    expect(warning).toMatch(/app\/dev\/n21 and 2 more\)$/);
  });

  it("is not said where all was selected", async () => {
    expect(warnings(await ran(2, { target: ["app/dev/**"] }))).toEqual([]);
  });

  it("counts orphans that were not pruned, and none of their parts", async () => {
    const pages = newThings();
    const sites = newThings();
    sites.inside = async () => void (await pages.Thing("page"));
    const stage = new Stage();
    await stage.up(async () => {
      await sites.Thing("site");
      await pages.Thing("other");
    });
    await stage.up(() => pages.Thing("other"), { target: ["**/other"] });
    expect(warnings(stage)).toEqual([
      "LEFT_OUT: Left out of this run, for it was not targeted: 1 resource (app/dev/site)",
    ]);
  });
});

describe("a pattern that matches nothing that is declared or recorded", () => {
  it("is named in a warning", async () => {
    const stage = await ran(1, { target: ["**/n1", "app/dev/typo"], exclude: ["**/none"] });
    expect(warnings(stage)).toEqual([
      'TARGET_UNMATCHED: The target "app/dev/typo" matched nothing that is declared or recorded.',
      'TARGET_UNMATCHED: The exclude "**/none" matched nothing that is declared or recorded.',
    ]);
  });

  it("is not named where something is recorded that it matches", async () => {
    const { Thing } = newThings();
    const stage = new Stage();
    await stage.up(() => Thing("gone"));
    await stage.up(() => {}, { target: ["**/gone"] });
    expect(warnings(stage)).toEqual([]);
  });

  it("is not named where the run has failed: it may not have been reached", async () => {
    const stage = new Stage();
    await stage.failures(() => Promise.reject(new Error("broken")), { target: ["**/late"] });
    expect(warnings(stage)).toEqual([]);
  });

  it("is named where it matches only parts of what is left out", async () => {
    const pages = newThings();
    const sites = newThings();
    sites.inside = async () => void (await pages.Thing("page"));
    const stage = new Stage();
    await stage.up(() => sites.Thing("site"));
    await stage.up(() => sites.Thing("site"), { target: ["app/dev/site/page"] });
    expect(warnings(stage)).toEqual([
      "LEFT_OUT: Left out of this run, for it was not targeted: 1 resource (app/dev/site)",
      'TARGET_UNMATCHED: The target "app/dev/site/page" matched only parts of resources that are left out, whose handlers do not run: target these.',
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
