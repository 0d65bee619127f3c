import { expect, it } from "vitest";
import { lacksPackage } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";
import { overtaken } from "./overtaken.ts";

describeUnless(lacksPackage, "engine up, where another run was quicker", () => {
  it("ends with exit code 3 without, and has changed nothing", async () => {
    const { project, slow } = await overtaken();
    expect(await slow.ended, slow.output).toEqual({ code: 3, signal: null });
    expect(slow.output).toContain("STATE_MOVED");
    expect(await project.read("index.html")).toBe("quick");
  });

  it("hands on the signal that it gets, and ends as that run does", async () => {
    const { slow } = await overtaken("--lock-timeout=5m");
    await slow.next("again");
    await slow.next("updated");
    slow.process.kill("SIGTERM");
    expect(await slow.ended, slow.output).toEqual({ code: 143, signal: null });
  });
});
