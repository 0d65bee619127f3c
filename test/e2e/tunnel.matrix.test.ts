import { expect, it } from "vitest";
import { isAlive } from "../helpers/processes/processes.ts";
import { until } from "../helpers/time/until.ts";
import { describeUnless, given } from "../servers/given.ts";
import { session, start, throughSshd } from "./tunnelled.ts";

describeUnless(await given("ssh"), "a tunnel of a program", () => {
  throughSshd();

  it("is closed when the program has ended, which it does not keep", async () => {
    await start("up");
    const pid = Number(await session.next("ssh is "));
    await session.next("got reached");
    expect(await session.ended).toEqual({ code: 0, signal: null });
    await until(() => !isAlive(pid));
  });
});
