import { describe, expect, it } from "vitest";
import type { EngineOptions } from "../../../core/contract/index.js";
import { failuresOf, Stage } from "../../helpers/apps/stage.ts";
import { newSites } from "../../helpers/apps/things.ts";
import { undefine } from "../../helpers/apps/undefine.ts";

/** db ← api ← web, and a site with a page. */
async function built() {
  const { pages: things, sites } = newSites();
  const { Thing, calls } = things;
  const stage = new Stage();
  await stage.up(async (app) => {
    const db = await Thing("db");
    const api = await Thing("api", {}, { dependsOn: [db] });
    await Thing("web", {}, { dependsOn: [api] });
    await sites.Thing("site");
    await app.set("note", "kept");
  });
  calls.length = 0;
  const refusal = async (options: EngineOptions) => (await failuresOf(stage.destroy(options)))[0];
  return { stage, calls, sites, there: things.there, refusal };
}

describe("destroy with targets", () => {
  it.each<[string, EngineOptions, string[]]>([
    ["deletes only what is selected", { target: ["**/web"] }, ["web"]],
    ["deletes children with what they are parts of", { target: ["**/site"] }, ["site/page"]],
    [
      "takes with it what refers to what is selected, with targetDependents",
      { target: ["**/db"], targetDependents: true },
      ["web", "api", "db"],
    ],
    ["deletes all but what is excluded", { exclude: ["**/db"] }, ["site/page", "web", "api"]],
  ])("%s", async (_what, options, deleted) => {
    const { stage, calls, there } = await built();
    const before = [...there.keys()];
    await stage.destroy(options);
    expect(calls).toEqual(deleted.map((key) => `delete app/dev/${key}`));
    expect([...there.keys()]).toEqual(before.filter((fqn) => !calls.includes(`delete ${fqn}`)));
  });

  it("deletes a child by itself, and says nothing of a pattern without effect", async () => {
    const { stage, calls } = await built();
    await stage.destroy({ target: ["app/dev/site/page"] });
    expect(calls).toEqual(["delete app/dev/site/page"]);
    expect(stage.heard("warning").map(({ code }) => code)).toEqual(["LEFT_OUT"]);
  });

  it("keeps the data of the stage", async () => {
    const { stage } = await built();
    await stage.destroy({ target: ["**/web"] });
    const app = await stage.open();
    expect(await app.get("note")).toBe("kept");
    await app.finalize({ noop: true });
  });

  it("is refused before anything is deleted where something else refers to what is selected", async () => {
    const { refusal, calls } = await built();
    expect(await refusal({ target: ["**/db", "**/site"] })).toMatchObject({
      code: "DEPENDENTS_LEFT_OUT",
      message: expect.stringMatching(/"app\/dev\/db".*"app\/dev\/api".*--target-dependents/),
    });
    expect(calls).toEqual([]);
  });

  it("is refused where what is excluded refers to the rest", async () => {
    const { refusal } = await built();
    expect(await refusal({ exclude: ["**/web"] })).toMatchObject({
      message: expect.stringContaining('"app/dev/web", which refers to it, is excluded'),
    });
  });

  it("does not wait for kinds of what it leaves alone", async () => {
    const { stage, calls, sites } = await built();
    const site = undefine(sites.Thing);
    await stage.open({ phase: "destroy", target: ["**/web"] });
    expect(calls).toEqual(["delete app/dev/web"]);
    site.define();
  });

  it("says what it left out", async () => {
    const { stage } = await built();
    await stage.destroy({ target: ["**/web"] });
    expect(stage.heard("warning").map(({ code, message }) => `${code}: ${message}`)).toEqual([
      "LEFT_OUT: Left out of this run, for it was not targeted: 3 resources (app/dev/db, app/dev/api, app/dev/site)",
    ]);
  });

  it.each([
    [
      "target",
      { target: ["**/web", "**/ap"] },
      '"**/ap" matched nothing that is recorded. Did you mean "app/dev/api"?',
    ],
    ["exclude", { exclude: ["**/bd"] }, '"**/bd" matched nothing that is recorded. Did you mean "app/dev/db"?'],
  ])("deletes nothing where one %s matches nothing, and says what is near", async (_what, options, message) => {
    const { refusal, calls } = await built();
    expect(await refusal(options)).toMatchObject({
      code: "TARGET_UNMATCHED",
      message: expect.stringContaining(message),
    });
    expect(calls).toEqual([]);
  });

  it("is planned as it would go", async () => {
    const { stage, calls } = await built();
    await stage.destroy({ target: ["**/db"], targetDependents: true, plan: true });
    const [plan] = stage.heard("plan:made");
    expect(plan?.actions.map(({ action, id }) => `${action} ${id}`)).toEqual(["delete web", "delete api", "delete db"]);
    expect(plan?.leftOut).toMatchObject([{ fqn: "app/dev/site", reason: "not targeted" }]);
    expect(calls).toEqual([]);
  });
});
