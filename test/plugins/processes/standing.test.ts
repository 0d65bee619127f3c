import { describe, expect, it } from "vitest";
import { identityOf, standingOf, startByPs } from "../../../plugins/processes/kept/standing.js";
import { isAlive, until, withStranger } from "../../helpers/processes.ts";

describe("the standing of a process", () => {
  it("is that it is alive, until it is gone", async () => {
    await withStranger(async (stranger) => {
      const identity = identityOf(stranger.pid);
      expect(standingOf(identity)).toBe("alive");
      stranger.kill("SIGKILL");
      await until(() => !isAlive(stranger.pid));
      expect(standingOf(identity)).toBe("gone");
    });
  });

  it.each([
    ["started at another time", { started: "1" }, "gone"],
    ["ran before this machine was started", { boot: "another" }, "gone"],
    ["ran on another machine", { machine: "another" }, "foreign"],
    ["ran in another container", { pidNamespace: "pid:[1]" }, "foreign"],
  ] as const)("of one that %s is told from it", (_what, members, standing) => {
    expect(standingOf({ ...identityOf(process.pid), ...members })).toBe(standing);
  });

  it("is known by host where machines have no id", () => {
    const { machine: _machine, ...bare } = identityOf(process.pid);
    expect(standingOf({ ...bare, host: "elsewhere" })).toBe("foreign");
  });

  it("can be had from ps, the same each time, and none of one that is gone", async () => {
    await withStranger(async ({ pid, kill }) => {
      const started = startByPs(pid);
      expect(started).toMatch(/\d\d:\d\d:\d\d/);
      expect(startByPs(pid)).toBe(started);
      expect(typeof kill).toBe("function");
    });
    expect(startByPs(2 ** 22 + 1)).toBeUndefined();
  });
});
