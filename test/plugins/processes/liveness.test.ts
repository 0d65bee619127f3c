import { describe, expect, it } from "vitest";
import { identity } from "../../../core/base/index.js";
import { identityOf, identityOfChild, livenessOf } from "../../../plugins/processes/kept/liveness.js";
import { isAlive, withStranger } from "../../helpers/processes/processes.ts";
import { macOS, windows } from "../../helpers/processes/systems.ts";
import { until } from "../../helpers/time/until.ts";

describe("the liveness of a process", () => {
  it("is that it is alive, until it is gone", async () => {
    await withStranger(async (stranger) => {
      const identity = identityOf(stranger.pid);
      expect(livenessOf(identity)).toBe("alive");
      stranger.kill("SIGKILL");
      await until(() => !isAlive(stranger.pid));
      expect(livenessOf(identity)).toBe("gone");
    });
  });

  it.each([
    ["started at another time", { started: "1" }, "gone"],
    ["ran before this machine was started", { boot: "another" }, "gone"],
    ["ran on another machine", { machine: "another" }, "foreign"],
    ["ran in another container", { pidNamespace: "pid:[1]" }, "foreign"],
  ] as const)("of one that %s is distinguished from it", (_what, members, standing) => {
    expect(livenessOf({ ...identityOf(process.pid), ...members })).toBe(standing);
  });

  it("is known by host where machines have no id", () => {
    const { machine: _machine, ...bare } = identityOf(process.pid);
    expect(livenessOf({ ...bare, host: "elsewhere" })).toBe("foreign");
  });

  it("of a child needs no other program on Windows, with or without PowerShell", async () => {
    await withStranger(async (child) => {
      const of = identityOfChild(child, child.pid);
      const silent = { ...windows(), exists: isAlive, run: () => undefined };
      expect(livenessOf({ ...of, boot: undefined }, { ...identity(), boot: undefined }, silent)).toBe("alive");
      expect(livenessOf({ ...of, started: "1", boot: undefined }, { ...identity(), boot: undefined }, silent)).toBe(
        "unknown",
      );
      child.kill("SIGKILL");
      await until(() => !isAlive(child.pid));
      expect(livenessOf({ ...of, boot: undefined }, { ...identity(), boot: undefined }, silent)).toBe("gone");
    });
  });

  describe("on a Mac", () => {
    const boot = "0F4C7A9E-64C6-4C02-9B5E-3F0B8E5D7A11";
    const here = { user: "ada", host: "air.local", pid: 70, started: "1764084000000", boot };
    const of = { ...here, pid: 77, started: "1764084641900" };
    const at = (line: string) => macOS({ 77: line });

    it.each([
      ["alive", "Wed Nov 25 15:30:41 2026     S+", { started: "1795620641900" }],
      ["alive", "Wed Nov 25 15:30:41 2026     T", { started: "1795620641900" }],
      ["gone", "Wed Nov 25 15:30:41 2026     Z", { started: "1795620641900" }],
      ["gone", "Wed Nov 25 15:31:41 2026     Ss", { started: "1795620641900" }],
      ["gone", "", {}],
      ["gone", "Wed Nov 25 15:30:41 2026     S+", { started: "1795620641900", boot: "6B1E" }],
      ["foreign", "", { boot: "6B1E", host: "another.local" }],
    ] as const)("is %s by what ps says: %j, of %j", (standing, line, members) => {
      expect(livenessOf({ ...of, ...members }, here, at(line))).toBe(standing);
    });

    it("is known of what an earlier version has recorded, with what ps said and without a boot", () => {
      const { boot: _boot, ...old } = { ...of, started: "Wed Nov 25 15:30:41 2026" };
      expect(livenessOf(old, here, at("Wed Nov 25 15:30:41 2026     S"))).toBe("alive");
      expect(livenessOf(old, here, at("Wed Nov 25 15:32:41 2026     S"))).toBe("gone");
    });

    it("is unknown, not gone, if ps may not be called", () => {
      const { run: _run, ...system } = at("");
      expect(livenessOf(of, here, { ...system, exists: () => true, run: () => undefined })).toBe("unknown");
    });
  });
});
