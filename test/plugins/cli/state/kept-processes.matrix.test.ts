import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../../helpers/processes/engine-project.ts";
import { isAlive } from "../../../helpers/processes/processes.ts";
import { describeUnless } from "../../../servers/given.ts";
import { twoProcesses } from "./two-processes.ts";

let project: Project | undefined;
afterEach(async () => {
  await project?.engine("state", "processes", "--all", "--stop", "--yes");
  await project?.remove();
});

interface Listed {
  readonly processes: readonly { readonly fqn: string; readonly pid: number; readonly status: string }[];
  readonly stopped: readonly number[];
}

async function json(...args: string[]): Promise<Listed> {
  const { code, stdout, stderr } = (await project?.engine("state", "processes", "--json", ...args)) ?? { code: 1 };
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout ?? "");
}

describeUnless(lacksPackage, "engine state processes", () => {
  it("lists what the engine keeps, of the stage or of all, and stops what is named", async () => {
    project = await engineProject({ "engine.run.mjs": twoProcesses });
    expect((await project.engine("state", "processes")).stderr).toContain('There is no state of "kept/tester"');
    await project.engine("up");
    await project.engine("up", "--stage", "other");
    const { stdout } = await project.engine("state", "processes");
    expect(stdout).toMatch(/^NAME +PID +STATUS +SINCE +KEPT BY +COMMAND\n/);
    expect(stdout).toMatch(/kept\/tester\/one +\d+ +alive +\S+ +its resource +\S*sleep 1000\n/);
    expect((await json("--all")).processes).toHaveLength(4);

    const refused = await project.engine("state", "processes", "--stop");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("Pass --yes") });
    const { processes } = await json();
    expect(processes.map(({ fqn, pid }) => [fqn, isAlive(pid)])).toEqual([
      ["kept/tester/one", true],
      ["kept/tester/web/two", true],
    ]);

    const stopped = await json("web/**", "--stop", "--yes");
    expect(stopped.stopped).toEqual([processes[1]?.pid]);
    expect(processes.map(({ pid }) => isAlive(pid))).toEqual([true, false]);
    // The next up notices, and starts it again.
    expect((await project.engine("up")).stdout).toMatch(/1 (created|replaced|updated), 1 unchanged/);
  });
});
