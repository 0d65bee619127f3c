/** What people see of a run of the tests, and what it leaves. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import * as needs from "../servers/needs.ts";
import { filesBelow, read, root } from "./project.ts";

const SUM = /^\d+ passed, \d+ failed, \d+ skipped$/;
/** Of `npm test`. */
const NEEDY = /(?<!\.matrix)\.test\.ts$/;

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "run-"));
});
afterEach(() => rm(folder, { recursive: true }));

interface Run {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  /** Resolves when it has printed such a line; rejects where it ends before. */
  printed(start: string): Promise<void>;
}

const start = (...args: readonly string[]): Run => startWith(process.env.PATH, args);

function startWith(path: string | undefined, args: readonly string[]): Run {
  const child = spawn(process.execPath, ["test/run.mjs", ...args], {
    cwd: root,
    env: { PATH: path, HOME: process.env.HOME, TMPDIR: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  const printed = (beginning: string): Promise<void> =>
    new Promise((resolve, reject) => {
      child.stdout?.on("data", () => lines.some((line) => line.startsWith(beginning)) && resolve());
      child.once("close", () => reject(new Error(lines.join("\n"))));
    });
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  return { child, lines, printed };
}

describe("node test/run.mjs", () => {
  test("runs a part of the tests, without the other checks, and counts them last", async () => {
    const { child, lines } = start("house/changelog");
    await once(child, "close");
    expect({ code: child.exitCode, first: lines[0] }).toEqual({ code: 0, first: "begin  tests" });
    expect(lines.at(-1)).toMatch(/^[1-9]\d* passed, 0 failed, 0 skipped$/);
  });

  test("fails where no test has such a name", async () => {
    const { child, lines } = start("no-such-test");
    await once(child, "close");
    expect({ code: child.exitCode, last: lines.at(-1) }).toEqual({ code: 1, last: "0 passed, 1 failed, 0 skipped" });
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("ends everything on %s, counts what was done, and leaves nothing", async (signal, code) => {
    const { child, lines, printed } = start("adapters/redis.test");
    await printed("begin  tests");
    child.kill(signal);
    await once(child, "close");
    expect({ code: child.exitCode, last: lines.at(-1) }).toEqual({ code, last: expect.stringMatching(SUM) });
    expect(await readdir(folder)).toEqual([]);
  });

  test("skips what needs a server that the machine does not have", async () => {
    const needy = filesBelow("test", (path) => NEEDY.test(path) && read(path).includes("servers/given-"));
    const { child, lines } = startWith(await pathWithoutServers(), needy);
    await once(child, "close");
    expect(lines.at(-1), lines.join("\n")).toMatch(/^\d+ passed, 0 failed, [1-9]\d{2,} skipped$/);
    expect(child.exitCode).toBe(0);
  });
});

/** A folder with all programs of this machine but those of the servers of the tests. */
async function pathWithoutServers(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "programs-"));
  onTestFinished(() => rm(path, { recursive: true }));
  const servers = new Set(Object.values(needs).flatMap(({ programs }) => programs));
  const folders = (process.env.PATH ?? "").split(delimiter);
  for (const from of folders) {
    for (const name of await readdir(from).catch(() => [])) {
      if (!servers.has(name) || name === "bash") await symlink(join(from, name), join(path, name)).catch(() => {});
    }
  }
  return path;
}

describe("the folder of a run", () => {
  test("tells what was left in it, but for what others keep there, and goes", async () => {
    const { openPlace }: { openPlace(): Promise<Place> } = await import(`${root}test/runner/place.mjs`);
    const place = await openPlace();
    for (const name of ["left", "tsx-0"]) await writeFile(join(place.folder, name), "");
    expect(await place.leftovers()).toEqual(["left"]);
    await place.close();
    await expect(readdir(place.folder)).rejects.toMatchObject({ code: "ENOENT" });
  });
});

interface Place {
  readonly folder: string;
  leftovers(): Promise<readonly string[]>;
  close(): Promise<void>;
}
