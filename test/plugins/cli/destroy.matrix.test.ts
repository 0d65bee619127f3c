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

describeUnless(lacksPackage, "engine destroy", () => {
  it("deletes nothing if there is no terminal to ask on", async () => {
    await project.engine("up");
    const { code, stderr } = await project.engine("destroy");
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("Pass --yes to destroy") });
    expect(await project.names()).toContain("one.txt");
  });

  it("deletes what a saved plan holds, and is refused where the state has changed since", async () => {
    await project.engine("up");
    await project.engine("plan", "--destroy", "--out", "gone.json");
    const { code, stdout } = await project.engine("destroy", "--plan", "gone.json", "--yes");
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("2 deleted") });
    await project.engine("up");
    const again = await project.engine("destroy", "--plan=gone.json", "--yes");
    expect({ code: again.code, stderr: again.stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("PLAN_STALE"),
    });
    expect(await project.names()).toContain("one.txt");
  });

  it("asks nothing where nothing is recorded", async () => {
    expect(await onTerminal(project, ["destroy", "--missing-ok"])).toMatchObject({
      code: 0,
      shown: expect.not.stringContaining("[y/N]"),
    });
  });
});

describeUnless(lacksPackage ?? lacksScript, "engine destroy on a terminal", () => {
  beforeEach(async () => {
    await project.engine("up");
  });

  it("lists also what has a kind that the program defines behind engine()", async () => {
    const late = `
      import { engine, Resource } from "scope-engine";
      const app = await engine("late");
      const Note = Resource("late:Note", { create: () => ({}), delete: () => {} });
      await Note("note");
      await app.finalize();
    `;
    await project.write("engine.run.mjs", late);
    await project.engine("up");
    const { code, shown } = await onTerminal(project, ["destroy"], [["[y/N]", "y\r"]]);
    expect(shown).toMatch(/delete .*late\/tester\/note/);
    expect(shown).toMatch(/deleted.* late\/tester\/note/);
    expect(code).toBe(0);
  });

  it.each([
    ["no", "n\r"],
    ["nothing but Return", "\r"],
    ["the end of the input", "\x04"],
    ["Ctrl-C", "\x03"],
  ])("deletes nothing when the answer is %s", async (_answer, keys) => {
    const { code, shown } = await onTerminal(project, ["destroy"], [["[y/N]", keys]]);
    expect(shown).toContain("was not destroyed: you did not confirm");
    expect(code).toBe(1);
    expect(await project.names()).toContain("one.txt");
  });
});
