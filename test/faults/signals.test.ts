import { expect, it } from "vitest";
import { lacksPackage } from "../helpers/processes/engine-project.ts";
import { until } from "../helpers/time/until.ts";
import { describeUnless } from "../servers/given.ts";
import { interruptedAtRandom, logged, prepare, start } from "./signals.js";

describeUnless(lacksPackage, "a signal at a random instant of a run", () => {
  interruptedAtRandom(3, ["SIGINT"], " in a few");

  it("is followed by the end of the process when a second one comes, though a handler takes no notice", async () => {
    await prepare("create");
    // The handler lasts longer than any test: only the second signal ends the process.
    const run = await start("create", "deaf");
    await run.logs("ready");
    await until(async () => (await logged()).some(({ about }) => about === "create:deaf"));
    run.child.kill("SIGINT");
    await run.logs("signal");
    run.child.kill("SIGINT");
    expect((await run.ended).code).toBe(130);
    const next = await start("create");
    const { code, output } = await next.ended;
    // The outcome of the handler that ignored the signal is unknown.
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringMatching(/ done in .*\b1 left\b/) });
    expect(output).not.toContain("waiting");
  });
});
