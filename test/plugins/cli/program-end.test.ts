import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

describeUnless(lacksPackage, "a program that ends", () => {
  it("without an app is a failure of engine up", async () => {
    project = await engineProject({ "engine.run.ts": 'console.log("all there is");\n' });
    const { code, stdout, stderr } = await project.engine("up");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "all there is\n" });
    expect(stderr).toContain("ended without opening an app: it never called engine().");
  });
});
