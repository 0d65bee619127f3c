import { afterEach, beforeEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";
import { twoFiles } from "./two-files.ts";

let project: Project;
beforeEach(async () => {
  project = await engineProject({ "engine.run.mjs": twoFiles });
});
afterEach(() => project.remove());

describeUnless(lacksPackage, "engine destroy", () => {
  it("deletes all without a question with --yes, and goes no further in the program", async () => {
    await project.engine("up");
    const { code, stdout } = await project.engine("destroy", "--yes");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /deleted {2}site\/tester\/two.*\ndeleted {2}site\/tester\/one.*\nsite\/tester destroy done .*: 2 deleted/,
    );
    expect(stdout).not.toContain("end of the program");
    expect(await project.names()).toEqual([".engine", "engine.run.mjs", "node_modules"]);
  });
});
