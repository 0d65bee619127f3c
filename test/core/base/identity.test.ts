import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fate, fateOf, identity, type ProcessIdentity, startOf, thisSystem } from "../../../core/base/index.js";
import { identityOfThis } from "../../../core/base/machine/process-identity.js";
import { deadProcess } from "../../helpers/stores/ledgers.js";
import { until } from "../../helpers/time/until.js";

const here = identity();

/** The identity of a process that lives as long as `use` takes. */
async function withChild(use: (child: ProcessIdentity, kill: (signal: NodeJS.Signals) => void) => Promise<void>) {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
  await once(child, "spawn");
  const { pid = 0 } = child;
  try {
    await use({ ...here, pid, started: startOf(pid) }, (signal) => child.kill(signal));
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}

describe("the identity of a process", () => {
  it("tells it from every other process, on any machine, at any time", () => {
    expect(here).toMatchObject({ pid: process.pid, host: expect.any(String), user: expect.any(String) });
    // Linux provides every member.
    expect(here.started).toMatch(/^\d+$/);
    expect(here.boot).toMatch(/^[\da-f-]{36}$/);
    expect(here.pidNamespace).toMatch(/^pid:\[\d+\]$/);
  });

  it("is the same whenever it is asked for", () => {
    expect(identity()).toEqual(here);
  });

  it("is looked up once, and again if the start time changed: the process was frozen and thawed elsewhere", async () => {
    const proc = await mkdtemp(join(tmpdir(), "thawed-"));
    const system = { ...thisSystem, proc };
    const stands = async (started: number, boot: string): Promise<void> => {
      const fields = ["R", ...Array.from({ length: 18 }, () => "0"), String(started)];
      // Like the kernel, which makes another entry for a process that was thawed.
      const entry = join(proc, String(process.pid), "stat");
      await writeFile(`${entry}.new`, `${process.pid} (node) ${fields.join(" ")}\n`);
      await rename(`${entry}.new`, entry);
      await writeFile(join(proc, "sys/kernel/random/boot_id"), boot);
    };
    try {
      await mkdir(join(proc, String(process.pid)));
      await mkdir(join(proc, "sys/kernel/random"), { recursive: true });
      await stands(7, "one");
      expect(identityOfThis(system)).toMatchObject({ started: "7", boot: "one" });
      await stands(7, "two");
      expect(identityOfThis(system)).toMatchObject({ started: "7", boot: "one" });
      await stands(8, "two");
      expect(identityOfThis(system)).toMatchObject({ started: "8", boot: "two" });
    } finally {
      await rm(proc, { recursive: true });
    }
  });
});

describe("the fate of a process", () => {
  it("is that it runs", async () => {
    expect(fate(here, here)).toBe("runs");
    await withChild(async (child) => expect(fate(child, here)).toBe("runs"));
  });

  it("is that it is gone once it has ended", async () => {
    expect(fate(await deadProcess(), here)).toBe("gone");
  });

  it("is that it is gone where its pid belongs to a process that started at another time", () => {
    expect(fate({ ...here, started: "1" }, here)).toBe("gone");
  });

  it("is that it is stopped", async () => {
    await withChild(async (child, kill) => {
      kill("SIGSTOP");
      // The kernel delivers the signal asynchronously.
      expect(
        await until(
          () => fate(child, here),
          (is) => is !== "runs",
        ),
      ).toBe("stopped");
      kill("SIGCONT");
    });
  });

  it.each<Partial<ProcessIdentity>>([
    { boot: "another" },
    { machine: "another" },
    { pidNamespace: "pid:[1]" },
    { boot: undefined },
    { pidNamespace: undefined },
  ])("is unknown to a machine with %j", async (members) => {
    expect(fate({ ...(await deadProcess()), ...members }, here)).toBe("unknown");
  });

  it("is gone with its last thread, and not with its first", async () => {
    const proc = await mkdtemp(join(tmpdir(), "threads-"));
    const stat = (state: string, threads: number): Promise<void> => {
      const fields = Array.from({ length: 30 }, () => "0");
      fields.splice(0, 1, state);
      fields.splice(17, 1, String(threads));
      fields.splice(19, 1, here.started ?? "");
      return writeFile(join(proc, `${here.pid}/stat`), `${here.pid} (a (b) c) ${fields.join(" ")}\n`);
    };
    try {
      await mkdir(join(proc, String(here.pid)));
      await stat("Z", 3);
      expect(fateOf(here, here, { ...thisSystem, proc })).toBe("runs");
      await stat("Z", 1);
      expect(fateOf(here, here, { ...thisSystem, proc })).toBe("gone");
    } finally {
      await rm(proc, { recursive: true });
    }
  });

  it("is unknown where neither of two machines says what it is", async () => {
    const bare = { boot: undefined, pidNamespace: undefined, machine: undefined };
    expect(fate({ ...(await deadProcess()), ...bare }, { ...here, ...bare })).toBe("unknown");
  });

  it("is unknown where it exists, but the system hides other users' processes", async () => {
    const empty = await mkdtemp(join(tmpdir(), "hidden-"));
    try {
      expect(fateOf(here, here, { ...thisSystem, proc: empty })).toBe("unknown");
      expect(fateOf(await deadProcess(), here, { ...thisSystem, proc: empty })).toBe("gone");
    } finally {
      await rm(empty, { recursive: true });
    }
  });
});
