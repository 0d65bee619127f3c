import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { thisSystem } from "../../../core/base/index.js";

afterEach(() => vi.unstubAllEnvs());

describe("a program of the system", () => {
  it("is heard, and learns nothing of the run's environment", () => {
    vi.stubEnv("SECRET_OF_THE_RUN", "hunter2");
    const said = thisSystem.run(process.execPath, ["--print", "JSON.stringify(process.env)"]);
    expect(said).toMatchObject({ status: 0, stderr: "" });
    const names = Object.keys(JSON.parse(said?.stdout ?? ""));
    expect(names).not.toContain("SECRET_OF_THE_RUN");
    if (process.platform === "linux") expect(names.sort()).toEqual(["LC_ALL", "PATH", "TZ"]);
  });

  it("is heard where it fails, too", () => {
    const said = thisSystem.run(process.execPath, ["--eval", "console.error('no'); process.exitCode = 3;"]);
    expect(said).toEqual({ status: 3, stdout: "", stderr: "no\n" });
  });

  it("says nothing where it is not there", () => {
    expect(thisSystem.run("no-such-program-of-any-system", [])).toBeUndefined();
  });
});

describe("an installation of Windows", () => {
  it("is known by its folder, and is none where that is not there", async () => {
    const folder = await mkdtemp(join(tmpdir(), "installation-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const of = (windowsFolder: string): string | undefined => {
      vi.stubEnv("SystemRoot", windowsFolder);
      return thisSystem.installation();
    };
    expect(of(folder)).toMatch(/^[0-9a-f]+-[0-9a-f]+$/);
    expect(of(folder)).toBe(of(folder));
    expect(of(folder)).not.toBe(of(process.cwd()));
    expect(of(join(folder, "absent"))).toBeUndefined();
  });
});
