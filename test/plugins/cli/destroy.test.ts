import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, expect, it } from "vitest";
import { engineProject, lacksPackage, main, type Project, plainEnv } from "../../helpers/engine-project.ts";
import { lacksScript } from "../../helpers/script.ts";
import { describeUnless } from "../../servers/given.ts";

const program = `
import { engine } from "scope-engine";
import { File } from "scope-engine/resources";

const app = await engine("site");
await File("one", { path: "one.txt", content: "1" });
await File("two", { path: "two.txt", content: "2" });
await app.finalize();
console.log("end of the program");
`;

let project: Project;
beforeEach(async () => {
  project = await engineProject({ "engine.run.mjs": program });
});
afterEach(() => project.remove());

describeUnless(lacksPackage, "engine destroy", () => {
  it("deletes nothing where nobody can be asked", async () => {
    await project.engine("up");
    const { code, stderr } = await project.engine("destroy");
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("Pass --yes to destroy") });
    expect(await project.names()).toContain("one.txt");
  });

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
    expect(await onTerminal("")).toMatchObject({ code: 0, shown: expect.not.stringContaining("[y/N]") });
  });
});

describeUnless(lacksPackage ?? lacksScript, "engine destroy on a terminal", () => {
  beforeEach(async () => {
    await project.engine("up");
  });

  it("shows what would be deleted, and deletes it when told to", async () => {
    const { code, shown } = await onTerminal("y\r");
    expect(shown).toMatch(/delete .*site\/tester\/two/);
    expect(shown).toContain("Delete these 2 resources of site/tester? [y/N]");
    expect(code).toBe(0);
    expect(await project.names()).not.toContain("one.txt");
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
    const { code, shown } = await onTerminal("y\r");
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
    const { code, shown } = await onTerminal(keys);
    expect(shown).toContain("was not destroyed: that was not confirmed");
    expect(code).toBe(1);
    expect(await project.names()).toContain("one.txt");
  });
});

/** Keys are pressed when it asks. */
async function onTerminal(keys: string): Promise<{ readonly code: number | null; readonly shown: string }> {
  const command = [process.execPath, main, "destroy"].map((part) => `'${part}'`).join(" ");
  const child = spawn("script", ["-qec", command, "/dev/null"], { cwd: project.folder, env: plainEnv() });
  let shown = "";
  child.stdout.on("data", (part: Buffer) => {
    const wasAsked = shown.includes("[y/N]");
    shown += part.toString();
    if (!wasAsked && shown.includes("[y/N]")) child.stdin.write(keys);
  });
  await once(child, "close");
  return { code: child.exitCode, shown };
}
