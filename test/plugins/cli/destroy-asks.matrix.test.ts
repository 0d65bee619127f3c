import { afterEach, beforeEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { lacksScript } from "../../helpers/processes/script.ts";
import { describeUnless } from "../../servers/given.ts";
import { onTerminal } from "./on-terminal.ts";
import { twoFiles } from "./two-files.ts";

let project: Project;
beforeEach(async () => {
  project = await engineProject({ "engine.run.mjs": twoFiles });
});
afterEach(() => project.remove());

describeUnless(lacksPackage ?? lacksScript, "engine destroy on a terminal", () => {
  beforeEach(async () => {
    await project.engine("up");
  });

  it("shows what would be deleted, and deletes it when told to", async () => {
    const { code, shown } = await onTerminal(project, ["destroy"], [["[y/N]", "y\r"]]);
    expect(shown).toMatch(/delete .*site\/tester\/two/);
    expect(shown).toContain("Delete these 2 resources of site/tester? [y/N]");
    expect(code).toBe(0);
    expect(await project.names()).not.toContain("one.txt");
  });
});
