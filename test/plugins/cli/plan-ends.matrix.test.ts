import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";
import { site } from "./site.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

describeUnless(lacksPackage, "engine plan", () => {
  it("ends with 1 where a run would fail, whatever --exit-code says", async () => {
    project = await engineProject({ "engine.run.mjs": `${site}throw new Error("no");` });
    expect((await project.engine("plan", "--exit-code")).code).toBe(1);
  });
});

describeUnless(lacksPackage, "engine drift", () => {
  it("runs the program only as far as its app opens, and what that prints is not on standard output", async () => {
    project = await engineProject({ "engine.run.mjs": `console.log("before");${site}console.log("behind");` });
    expect(await project.engine("drift", "--missing-ok")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: 'before\nThere is no state of "site/tester".\n',
    });
  });
});
