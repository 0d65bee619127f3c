import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../../servers/given.ts";
import { twoProcesses } from "./two-processes.ts";

let project: Project | undefined;
afterEach(async () => {
  await project?.engine("state", "processes", "--all", "--stop", "--yes");
  await project?.remove();
});

describeUnless(lacksPackage, "engine state processes", () => {
  it("lists what the engine keeps, and says that nothing has such a name", async () => {
    project = await engineProject({ "engine.run.mjs": twoProcesses });
    await project.engine("up");
    expect((await project.engine("state", "processes")).stdout).toMatch(
      /kept\/tester\/one +\d+ +alive +\S+ +its resource +\S*sleep 1000\n/,
    );
    const { code, stderr } = await project.engine("state", "processes", "three");
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No recorded process matches "three"'),
    });
  });
});
