import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";
import { begun } from "./site.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

describeUnless(lacksPackage, "a program that never comes to finalize()", () => {
  it("fails engine up, with a warning, and leaves no lock", async () => {
    project = await engineProject({ "engine.run.mjs": begun });
    const { code, stderr } = await project.engine("up");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^warning .*ends without finalize\(\), so nothing was pruned.*\[NOT_FINALIZED\]/);
    await project.write("engine.run.mjs", `${begun}await app.finalize();`);
    expect(await project.engine("up")).toMatchObject({ code: 0, stderr: "" });
  });
});
