import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";
import { site } from "./site.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

describeUnless(lacksPackage, "engine up", () => {
  it("runs engine.run.ts of the current folder, and again finds nothing to do", async () => {
    project = await engineProject({ "engine.run.ts": site });
    const first = await project.engine("up");
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(
      /^created {2}site\/tester\/index {2}\(fs:File, .+\)\nsite\/tester up done in .+: 1 created\n$/,
    );
    expect((await project.engine("deploy")).stdout).toMatch(/1 unchanged/);
    // The run writes nothing else into the project folder.
    expect(await project.names()).toEqual([".engine", "engine.run.ts", "index.html", "node_modules"]);
  });

  it("refuses a value that a flag cannot have before anything is run", async () => {
    project = await engineProject({ "engine.run.ts": "console.log('ran');" });
    const { code, stdout, stderr } = await project.engine("up", "--concurrency", "none");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("--concurrency must be a whole number of at least 1");
  });
});
