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

  it("warns if the state is beside the program, but not where the command looks for it", async () => {
    project = await engineProject({ "t 2/engine.run.mjs": site });
    const warning = 'warning: The state of "site/tester" is in "t 2/.engine", but this command uses ';
    const quiet = await project.engine("plan", "t 2");
    expect([quiet.code, quiet.stderr]).toEqual([0, ""]);
    expect(await project.engine("up", "t 2", "--root-dir", "t 2")).toMatchObject({ code: 0, stderr: "" });
    for (const command of ["plan", "drift", "up"]) {
      const { stderr } = await project.engine(command, "t 2");
      expect(stderr, command).toContain(warning);
      expect(stderr).toContain("(cd 't 2'), or pass --root-dir 't 2'.");
    }
    // From here on, there are two states.
    expect((await project.engine("plan", "t 2")).stderr).toBe("");
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
