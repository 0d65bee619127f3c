import { describe, expect, it } from "vitest";
import { fateBySight, fateOf, isPidReused, thisSystem } from "../../../core/base/index.js";
import { identityOfThis, sightOf } from "../../../core/base/machine/process-identity.js";
import { withStranger } from "../../helpers/processes/processes.ts";
import { busybox, macOS, windows } from "../../helpers/processes/systems.ts";

const START = Date.parse("2026-11-25T15:30:41Z");
/** The identity as recorded, a moment after the start. */
const recorded = { user: "ada", host: "here", pid: 77, started: String(START + 700) };

describe("a process that ps shows", () => {
  it.each([
    ["runs", "Wed Nov 25 15:30:41 2026     S+"],
    ["runs", "Wed Nov 25 15:30:41 2026     Rs"],
    ["stopped", "Wed Nov 25 15:30:41 2026     T"],
    ["over", "Wed Nov 25 15:30:41 2026     Z"],
  ])("%s: %s", (state, line) => {
    expect(sightOf(77, macOS({ 77: line }))).toEqual({ started: START, state });
  });

  it("on the fifth of a month has a blank in its date", () => {
    expect(sightOf(77, macOS({ 77: "Thu Nov  5 00:00:01 2026     S" }))).toMatchObject({
      started: Date.parse("2026-11-05T00:00:01Z"),
    });
  });

  it("is none where no process has the pid, and where it has ended since", () => {
    expect(sightOf(78, macOS({ 77: "Wed Nov 25 15:30:41 2026     S+" }))).toBe("none");
    expect(sightOf(78, { ...macOS(), exists: () => true })).toBe("none");
  });

  it("is unknown to a ps that has no such columns, and where there is no ps", () => {
    expect(sightOf(77, busybox(77))).toBe("unknown");
    expect(sightOf(77, { ...macOS(), exists: () => true, run: () => undefined })).toBe("unknown");
    expect(fateBySight(recorded, busybox(77))).toBe("unknown");
    expect(fateBySight(recorded, busybox())).toBe("gone");
  });

  it("is read by the ps of this machine as well", async () => {
    const before = Date.now();
    await withStranger(async ({ pid }) => {
      const after = Date.now();
      const sight = sightOf(pid, thisSystem);
      expect(sight).toMatchObject({ state: "runs" });
      // ps counts whole seconds from the start of the machine, so it can be a few seconds off. Another time zone is
      // hours away.
      const inexact = 5_000;
      expect(Object(sight).started).toBeGreaterThan(before - inexact);
      expect(Object(sight).started).toBeLessThan(after + inexact);
    });
    expect(sightOf(2 ** 22 + 1, thisSystem)).toBe("none");
  });
});

describe("a process that PowerShell shows", () => {
  it("runs since the moment that it says", () => {
    expect(sightOf(77, windows({ 77: "2026-11-25T15:30:41.250Z" }))).toEqual({ started: START + 250, state: "runs" });
  });

  it("is unknown where it is another user's, and none without asking where there is no such pid", () => {
    const calls: string[][] = [];
    expect(sightOf(77, windows({ 77: undefined }, calls))).toBe("unknown");
    expect(calls).toHaveLength(1);
    expect(calls[0]?.[0]).toMatch(/^[A-Z]:\\.+\\powershell\.exe$/i);
    expect(sightOf(78, windows({}, calls))).toBe("none");
    expect(calls).toHaveLength(1);
  });

  it("is read once in five seconds, however often it is requested", () => {
    const calls: string[][] = [];
    const system = windows({ 77: "2026-11-25T15:30:41.250Z" }, calls);
    for (let look = 0; look < 5; look++) sightOf(77, system);
    expect(calls).toHaveLength(1);
    sightOf(77, system);
    expect(calls).toHaveLength(2);
  });
});

describe("the identity of a process", () => {
  it("holds on a Mac when it started, and which boot of which Mac that was", () => {
    const { pid } = process;
    const boot = "0F4C7A9E-64C6-4C02-9B5E-3F0B8E5D7A11";
    expect(identityOfThis(macOS())).toEqual({
      user: expect.any(String),
      host: expect.any(String),
      pid,
      started: String(START),
      boot,
    });
  });

  it("holds on Windows when it started, and the installation", () => {
    expect(identityOfThis(windows())).toMatchObject({ started: String(START), machine: "c41d2f-1a7" });
  });

  it("says nothing of a boot where sysctl does not", () => {
    expect(identityOfThis({ ...macOS(), run: () => undefined })).not.toHaveProperty("boot");
  });
});

describe("the fate of a process without /proc", () => {
  const line = "Wed Nov 25 15:30:41 2026     S";
  const mac = { ...identityOfThis(macOS()), host: "here" };
  const win = { ...identityOfThis(windows()), host: "here" };
  const seen = { 77: "2026-11-25T15:30:41.250Z" };

  it.each([
    ["runs", "on a Mac", { boot: mac.boot }, mac, macOS({ 77: line })],
    ["gone", "on a Mac", { boot: mac.boot }, mac, macOS()],
    [
      "gone",
      "on a Mac, where its pid is another one's",
      { boot: mac.boot, started: String(START - 60_000) },
      mac,
      macOS({ 77: line }),
    ],
    ["unknown", "on another Mac of the same name", { boot: "6B1E" }, mac, macOS()],
    ["unknown", "on a Mac of which no boot was recorded", {}, mac, macOS()],
    ["runs", "on Windows", { machine: win.machine }, win, windows(seen)],
    ["gone", "on Windows", { machine: win.machine }, win, windows()],
    [
      "gone",
      "on Windows, where its pid is another one's",
      { machine: win.machine, started: String(START + 60_000) },
      win,
      windows(seen),
    ],
    ["unknown", "on a copy of the disk in another machine", { machine: win.machine, host: "there" }, win, windows()],
    ["unknown", "on Windows, of which no machine was recorded", {}, win, windows()],
    ["unknown", "on Windows, as another user", { machine: win.machine }, win, windows({ 77: undefined })],
  ] as const)("is %s %s", (fate, _where, members, here, system) => {
    expect(fateOf({ ...recorded, ...members }, here, system)).toBe(fate);
  });

  it("tells a pid that another process has by now", () => {
    expect(isPidReused(recorded, macOS())).toBe(false);
    expect(isPidReused(recorded, macOS({ 77: line }))).toBe(false);
    expect(isPidReused({ ...recorded, started: "1" }, macOS({ 77: line }))).toBe(true);
  });
});
