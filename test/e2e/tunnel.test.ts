import { expect, it } from "vitest";
import { isAlive } from "../helpers/processes/processes.ts";
import { until } from "../helpers/time/until.ts";
import { describeUnless, given } from "../servers/given.ts";
import { project, session, start, throughSshd } from "./tunnelled.ts";

describeUnless(await given("ssh"), "a tunnel of a program", () => {
  throughSshd();

  it("keeps the program in watch mode, until a change or Ctrl-C", async () => {
    await start("watch");
    const first = Number(await session.next("ssh is "));
    await session.next("got reached");
    await session.next("tunnelled/dev up done");
    expect(process.kill(first, 0)).toBe(true);
    await project.write("engine.run.js", 'console.log("changed program");');
    await session.next("changed program");
    await until(() => !isAlive(first));
    expect(session.output).not.toContain("killed");
  });
});
