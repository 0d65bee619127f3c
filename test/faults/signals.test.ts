import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { lacksPackage } from "../helpers/engine-project.ts";
import { timed } from "../helpers/timed.js";
import { describeUnless } from "../servers/given.ts";
import { interruptedAtRandom, logged, prepare, start } from "./signals.js";

describeUnless(lacksPackage, "a signal at a random instant of a run", () => {
  interruptedAtRandom(3, ["SIGINT"], " in a few");

  it(
    "is followed by the end within 5 s of the last handler, and a second one by the end within 500 ms",
    timed,
    async () => {
      await prepare("create");
      const run = await start("create", "deaf");
      await run.logs("ready");
      while (!(await logged()).some(({ about }) => about === "create:deaf")) await pause(2);
      run.child.kill("SIGINT");
      await run.logs("signal");
      const pressed = performance.now();
      run.child.kill("SIGINT");
      expect((await run.ended).code).toBe(130);
      expect(performance.now() - pressed).toBeLessThan(500);
      const next = await start("create");
      const { code, output } = await next.ended;
      // Nobody can tell what became of the handler that took no notice.
      expect({ code, output }).toMatchObject({ code: 1, output: expect.stringMatching(/ done in .*\b1 left\b/) });
      expect(output).not.toContain("waiting");
    },
  );
});
