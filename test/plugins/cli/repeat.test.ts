import { expect, it } from "vitest";
import { lacksPackage } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";
import { overtaken } from "./overtaken.ts";

describeUnless(lacksPackage, "engine up, where another run was quicker", () => {
  it("runs the program again within --lock-timeout, and says so instead of failing", async () => {
    const { project, slow } = await overtaken("--lock-timeout", "5m");
    await slow.next('again    another run changed "site/dev" first: the program runs again');
    await slow.next("has read");
    await project.write("end", "");
    expect(await slow.ended, slow.output).toEqual({ code: 0, signal: null });
    expect(slow.output).toContain("1 updated");
    expect(slow.output).not.toMatch(/FAILED|STATE_MOVED|failed/);
    expect(await project.read("index.html")).toBe("slow");
  });
});
