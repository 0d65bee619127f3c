import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";
import { site } from "./site.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

describeUnless(lacksPackage, "engine plan", () => {
  it("shows what a run would do, and does nothing", async () => {
    project = await engineProject({ "engine.run.mjs": site });
    const { code, stdout } = await project.engine("plan");
    expect(code).toBe(0);
    expect(stdout).toContain("plan of site/tester: 1 to create");
    expect(await project.names()).not.toContain("index.html");
  });

  it("saves a plan that engine up --plan keeps to", async () => {
    project = await engineProject({ "engine.run.mjs": site });
    await project.engine("plan", "--out", "plan.json");
    expect(JSON.parse(await project.read("plan.json"))).toMatchObject({ counts: { create: 1 } });
    expect((await project.engine("up", "--plan", "plan.json")).stdout).toContain("1 created");
    const stale = await project.engine("up", "--plan", "plan.json");
    expect(stale).toMatchObject({ code: 1, stderr: expect.stringContaining("PLAN_STALE") });
  });
});
