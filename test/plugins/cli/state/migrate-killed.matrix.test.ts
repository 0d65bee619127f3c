/** Kills the process of a move before and after each of its writes. */
import { afterEach, expect, it } from "vitest";
import { lacksPackage } from "../../../helpers/processes/engine-project.js";
import { describeUnless } from "../../../servers/given.js";
import { type Shop, shop } from "./shop.js";

let project: Shop;
afterEach(() => project.remove());

/** Changes the program to use the store that the state was moved to. */
async function useNew(): Promise<void> {
  const program = await project.read("engine.run.mjs");
  await project.write("engine.run.mjs", program.replace("fsStore()", 'fsStore({ root: "moved" })'));
}

describeUnless(lacksPackage, "engine state migrate", () => {
  it("goes on when it is done again, wherever it was killed, and says that it was done", async () => {
    // The program counts its writes.
    project = await shop("fs", true);
    const killed = (edge: string, write: number) =>
      project.runWith({ [edge]: String(write) }, "state", "migrate", "--to", "moved", "--yes");
    // It writes twice to the old store: the open of a session, and the end of the stage.
    expect(await killed("DIE_BEFORE", 2)).toMatchObject({ code: null });
    expect(await project.recorded()).toEqual(["db", "web/logo", "web/page"]);
    const text = await project.read("engine.run.mjs");
    await useNew();
    const early = await project.run("up");
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining("[STATE_INCOMPLETE]") });
    expect(early.stderr).toContain("engine state migrate");
    await project.write("engine.run.mjs", text);
    // Each of these runs first takes over from the previous one.
    for (let write = 3; (await project.json("state", "verify")).unused === null; write++) {
      expect(await killed("DIE_AFTER", write)).toMatchObject({ code: null });
    }
    expect((await project.run("up")).stderr).toContain("[STATE_RETIRED]");
    for (let time = 1; time <= 2; time++) {
      const again = await project.run("state", "migrate", "--to", "moved", "--yes");
      expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("An earlier migration copied") });
    }
    await useNew();
    expect((await project.run("up")).stdout).toContain("3 unchanged");
  });
});
