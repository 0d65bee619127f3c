/** Rules of files on macOS and Windows that can be tested without their disks. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { HandlerBase } from "../../../core/contract/index.js";
import { isLeft, keptMode, noteLeftFile, removeLeftNote } from "../../../plugins/resources/managed-file.js";
import {
  checkPath,
  foldsCase,
  isFolding,
  type Look,
  newOwnerOf,
  type ResolvedPath,
  registerPath,
  releasePath,
} from "../../../plugins/resources/paths.js";

describe("a path of a file on Windows", () => {
  test.each([
    ["a:b.txt", 'names must not contain ":"'],
    ["notes:today", 'names must not contain ":"'],
    ["src/what?.md", 'names must not contain "?"'],
    ["a|b", 'names must not contain "|"'],
    ["a\tb", 'names must not contain "\\t"'],
    ["con", '"con" is the name of a device'],
    ["logs/NUL.txt", '"NUL.txt" is the name of a device'],
    ["logs\\com1", '"com1" is the name of a device'],
    ["LPT9.log", '"LPT9.log" is the name of a device'],
    ["a./b", 'Windows removes the last character of "a."'],
    ["a/b ", 'Windows removes the last character of "b "'],
  ])("%j is refused: the file would be another one, or none", (path, why) => {
    // A letter and a colon at its start are a drive.
    const given = path.startsWith("a:") ? `x/${path}` : path;
    const refusal = expect.objectContaining({ code: "INVALID_PROPS", message: expect.stringContaining(why) });
    expect(() => checkPath(given, "win32")).toThrow(refusal);
    for (const platform of ["linux", "darwin"] as const) expect(() => checkPath(given, platform)).not.toThrow();
  });

  test.each([
    "C:\\project\\a.txt",
    "\\\\?\\C:\\a",
    "..\\a",
    "./console.log",
    ".env",
    "a b.txt",
    "communication",
    "ünï",
  ])("%j is taken", (path) => expect(() => checkPath(path, "win32")).not.toThrow());
});

describe("declared permissions", () => {
  test("are kept as far as Windows can, and repaired no more than that", () => {
    expect(keptMode(0o666, 0o600, "win32")).toBe(0o600);
    expect(keptMode(0o444, 0o400, "win32")).toBe(0o400);
    expect(keptMode(0o444, 0o600, "win32")).toBe(0o444);
    expect(keptMode(0o666, 0o400, "win32")).toBe(0o666);
  });

  test("are all looked at elsewhere", () => {
    expect(keptMode(0o666, 0o600, "darwin")).toBe(0o666);
  });
});

/** A disk with one folder. */
function disk(there: string, folds: boolean): Look {
  const same = (a: string, b: string): boolean => a === b || (folds && a.toLowerCase() === b.toLowerCase());
  return async (path) => (same(path, there) ? { ino: 7n, dev: 1n } : undefined);
}

describe("whether a disk takes capital letters for small ones", () => {
  test("is asked of the folder, or of the nearest one above it that is there and has letters", async () => {
    for (const folder of ["/Volumes/Data", "/Volumes/Data/new/project", "/Volumes/Data/7"]) {
      expect([folder, await isFolding(folder, disk("/Volumes/Data", true))]).toEqual([folder, true]);
      expect([folder, await isFolding(folder, disk("/Volumes/Data", false))]).toEqual([folder, false]);
    }
    expect(await isFolding("/7", disk("/7", true))).toBe(false);
  });

  test("is no where a folder of that other name is there by itself", async () => {
    const both: Look = async (path) => ({ ino: path === "/srv" ? 1n : 2n, dev: 1n });
    expect(await isFolding("/srv", both)).toBe(false);
  });

  test.runIf(process.platform === "linux")("is no on this machine", async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "folds-case-")));
    expect(await foldsCase(folder)).toBe(false);
    await rm(folder, { recursive: true });
  });
});

function placeOf(path: string, foldsCase = true): ResolvedPath {
  return { absolute: `/project/${path}`, path, foldsCase };
}

/** As much of a handler's context as these calls use. */
function contexts(): (name: string) => HandlerBase {
  const { signal } = new AbortController();
  const data = new Map<string, unknown>();
  const root = {
    get: async (key: string) => data.get(key),
    set: async (key: string, value: unknown) => void data.set(key, value),
    delete: async (key: string) => data.delete(key),
  };
  return (name) => Object({ uid: name, fqn: `t/s/${name}`, isDeclared: true, scope: { signal, root } });
}

describe("two spellings of a path, on a disk that takes them for one", () => {
  test("are one place: the error names both resources on it", () => {
    const context = contexts();
    registerPath(context("a"), placeOf("Readme.md"));
    expect(() => registerPath(context("b"), placeOf("README.md"))).toThrow('"README.md" already belongs to "t/s/a"');
    registerPath(context("c"), placeOf("Other.md", false));
    expect(() => registerPath(context("d"), placeOf("OTHER.md", false))).not.toThrow();
  });

  test("are one file: the old copy of one whose path has changed so is not deleted, for it is the new one", () => {
    const context = contexts();
    registerPath(context("new"), placeOf("README.md"));
    expect(newOwnerOf(context("old"), placeOf("Readme.md"))).toBe("t/s/new");
    releasePath(context("new"), placeOf("ReadMe.md"));
    expect(newOwnerOf(context("old"), placeOf("Readme.md"))).toBeUndefined();
  });

  test("are one file that waits for its deletion, whichever resource recorded it", async () => {
    const context = contexts();
    await noteLeftFile(context("a"), placeOf("Readme.md"));
    expect(await isLeft(context("a"), placeOf("README.md"))).toBe(true);
    await removeLeftNote(context("a"), placeOf("Readme.md"));
    expect(await isLeft(context("a"), placeOf("README.md"))).toBe(false);
    await noteLeftFile(context("a"), placeOf("Readme.md", false));
    expect(await isLeft(context("a"), placeOf("Readme.md"))).toBe(true);
    expect(await isLeft(context("a"), placeOf("README.md", false))).toBe(false);
  });
});
