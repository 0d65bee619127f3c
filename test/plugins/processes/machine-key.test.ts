import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { digestOf, machineKey } from "../../../plugins/processes/kept/record.js";
import { compiledProgram } from "../../helpers/processes/compiled-program.ts";

let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "machine-key-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true });
});

const at = (folder: string): string => machineKey({ XDG_STATE_HOME: folder }).key;
const kept = (folder: string): string => join(folder, "scope-engine", "key");

describe("the key of a machine", () => {
  test("is made once, for its user alone, and is the same from then on", async () => {
    const key = at(home);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(await readFile(kept(home), "utf8")).toBe(`${key}\n`);
    expect((await stat(kept(home))).mode & 0o777).toBe(0o600);
    expect((await stat(join(home, "scope-engine"))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(home, "scope-engine"))).toEqual(["key"]);
    expect(machineKey({ HOME: join(home, "none"), XDG_STATE_HOME: home })).toEqual({ key, isKept: true });
  });

  test("is that which is kept", async () => {
    await mkdir(join(home, "scope-engine"));
    await writeFile(kept(home), `${"ab".repeat(32)}\n`);
    expect(at(home)).toBe("ab".repeat(32));
  });

  test.each(["", "ab", "z".repeat(64)])("takes the place of what is none: %j", async (text) => {
    await mkdir(join(home, "scope-engine"));
    await writeFile(kept(home), text);
    const key = at(home);
    expect(await readFile(kept(home), "utf8")).toBe(`${key}\n`);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
  });

  test("is of one process alone where it cannot be kept", () => {
    expect(at("/dev/null")).toMatch(/^[0-9a-f]{64}$/);
    expect(at("/dev/null")).toBe(at("/dev/null"));
    expect(machineKey({}).key).not.toBe(at("/dev/null"));
    expect(machineKey({}).isKept).toBe(false);
    expect(machineKey({ XDG_STATE_HOME: "/dev/null" }).isKept).toBe(false);
  });

  test("is one for all processes that ask for it at once", async () => {
    const program = compiledProgram(new URL("machine-key.child.ts", import.meta.url));
    const ask = async (): Promise<string> => {
      const child = spawn(process.execPath, [program], {
        env: { PATH: process.env.PATH, XDG_STATE_HOME: home },
        stdio: ["ignore", "pipe", "inherit"],
      });
      let text = "";
      child.stdout.on("data", (chunk: Buffer) => {
        text += chunk;
      });
      await once(child, "close");
      return text;
    };
    const keys = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(new Set(keys)).toEqual(new Set([(await readFile(kept(home), "utf8")).trim()]));
  });
});

test("what is kept of a process tells nothing of its variables without the key", () => {
  const configuration = { command: "server", args: [], cwd: "/", env: { PIN: "271828" } };
  const digests = ["a", "b", "a"].map((folder) => {
    vi.stubEnv("XDG_STATE_HOME", join(home, folder));
    return digestOf(configuration, "salt");
  });
  expect(digests[0]).not.toBe(digests[1]);
  expect(digests[2]).toBe(digests[0]);
  const guess = (key: string): string =>
    createHmac("sha256", key)
      .update(JSON.stringify(["salt", "server", [], "/", [["PIN", "271828"]]]))
      .digest("hex");
  expect(digests).not.toContain(guess("salt"));
  expect(digests[0]).toBe(guess(at(join(home, "a"))));
});
