import { describe, expect, it } from "vitest";
import type { EngineOptions } from "../../../core/contract/index.js";
import { Stage } from "../../helpers/apps/stage.ts";
import { newSites, newThings } from "../../helpers/apps/things.ts";

/** db ← api ← web, and other; the second run changes each of them. */
async function secondRun(options: EngineOptions): Promise<readonly string[]> {
  const { Thing, calls } = newThings();
  const stage = new Stage();
  const program = (text: string) => async () => {
    const db = await Thing("db", { text });
    const api = Thing("api", { text }, { dependsOn: [db] });
    await Thing("web", { text }, { dependsOn: [api] });
    await Thing("other", { text });
  };
  await stage.up(program("one"));
  calls.length = 0;
  await stage.up(program("two"), options);
  return calls.map((call) => call.replace("update app/dev/", ""));
}

describe("targetDependents", () => {
  it.each<[string, EngineOptions, string[]]>([
    [
      "selects what refers to a target, and what refers to that",
      { target: ["**/db"], targetDependents: true },
      ["db", "api", "web"],
    ],
    ["selects nothing that a target refers to", { target: ["**/api"], targetDependents: true }, ["api", "web"]],
    ["is off by default", { target: ["**/db"] }, ["db"]],
    [
      "yields to exclude, and an excluded resource does not pass it on",
      { target: ["**/db"], exclude: ["**/api"], targetDependents: true },
      ["db"],
    ],
  ])("%s", async (_what, options, updated) => {
    expect(await secondRun(options)).toEqual(updated);
  });

  it("selects what refers by its props", async () => {
    const { Thing, calls } = newThings();
    await new Stage().up(
      async () => {
        const db = Thing("db");
        const props: object = { text: db };
        await Thing("web", props);
      },
      { target: ["**/db"], targetDependents: true },
    );
    expect(calls).toEqual(["create app/dev/db", "create app/dev/web"]);
  });

  it("selects the children that a handler declares which runs for that reason", async () => {
    const { pages, sites } = newSites();
    await new Stage().up(
      async () => {
        const db = await pages.Thing("db");
        await sites.Thing("site", {}, { dependsOn: [db] });
      },
      { target: ["**/db"], targetDependents: true },
    );
    expect(pages.calls).toEqual(["create app/dev/db", "create app/dev/site/page"]);
  });
});

describe("excludeDependents", () => {
  it.each<[string, EngineOptions, string[]]>([
    [
      "leaves out what refers to an excluded one, and what refers to that",
      { exclude: ["**/db"], excludeDependents: true },
      ["other"],
    ],
    ["is off by default", { exclude: ["**/db"] }, ["api", "web", "other"]],
    ["wins over a target", { target: ["**/web", "**/other"], exclude: ["**/db"], excludeDependents: true }, ["other"]],
    ["does not count what is only not targeted", { target: ["**/api"], excludeDependents: true }, ["api"]],
  ])("%s", async (_what, options, updated) => {
    expect(await secondRun(options)).toEqual(updated);
  });
});

describe("a replacement", () => {
  /** The second run replaces the resource that "web" refers to. */
  async function replaced(isDependent = true) {
    const { Thing, calls } = newThings();
    const stage = new Stage();
    const program = (text: string) => async () => {
      const db = await Thing("db", { text }, { replaceOnChanges: ["text"] });
      await Thing("web", {}, isDependent ? { dependsOn: [db] } : {});
    };
    await stage.up(program("one"));
    calls.length = 0;
    return { stage, calls, second: program("two") };
  }

  it.each<[string, EngineOptions, string]>([
    [
      "that would delete what a resource refers to which is left out is refused before it begins",
      { target: ["**/db"] },
      '"app/dev/db" is not deleted: "app/dev/web", which refers to it, is left out of this run. Target "app/dev/web" as well, or all dependents of the targets (targetDependents, --target-dependents).',
    ],
    ["is refused in a plan as well", { target: ["**/db"], plan: true }, "is left out of this run."],
    [
      "is refused where what refers to it is excluded, also with targetDependents",
      { target: ["**/db"], exclude: ["**/web"], targetDependents: true },
      'Exclude "app/dev/db" as well, or exclude neither.',
    ],
  ])("%s", async (_what, options, why) => {
    const { stage, calls, second } = await replaced();
    expect(await stage.failures(second, options)).toMatchObject([
      { code: "DEPENDENTS_LEFT_OUT", message: expect.stringContaining(why) },
    ]);
    expect(calls).toEqual([]);
  });

  it.each<[string, EngineOptions, boolean]>([
    ["with targetDependents", { target: ["**/db"], targetDependents: true }, true],
    ["where what refers to it is targeted, too", { target: ["**/db", "**/web"] }, true],
    ["where nothing refers to it", { target: ["**/db"] }, false],
  ])("goes on %s", async (_what, options, isDependent) => {
    const { stage, calls, second } = await replaced(isDependent);
    await stage.up(second, options);
    expect(calls).toEqual(["create app/dev/db", "delete app/dev/db"]);
    expect(stage.record("web")?.refs).toEqual(isDependent ? [stage.record("db")?.uid] : undefined);
  });
});
