import { execFile } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import { link, mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { thisDisk } from "../../adapters/fs/disk.js";
import { openFolder } from "../../adapters/fs/open.js";
import { isGrowing } from "../../core/contract/index.js";
import { numbers } from "../../plugins/testing/store/case.js";
import { emptyStore } from "../helpers/stores/store-contents.js";

const run = promisify(execFile);
const onLinux = process.platform === "linux";
const isRoot = process.getuid?.() === 0;
const quick = { sync: false };

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "fs-append-")));
});
afterEach(() => rm(root, { recursive: true }));

function openStore() {
  const store = openFolder(root, {}, thisDisk);
  if (!isGrowing(store)) throw new Error("A store in files grows.");
  return store;
}

/** Files below the root that this process holds open. */
function openFiles(): string[] {
  const links = readdirSync("/proc/self/fd").map((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      return ""; // The descriptor that read the folder itself is closed by now.
    }
  });
  return links.filter((path) => path.startsWith(root));
}

describe.skipIf(!onLinux)("files that grow", () => {
  it("stay open between appends, and are closed by close()", async () => {
    const store = openStore();
    await store.create("a/1", "");
    await store.append("a/1", "one", "a/2", quick);
    await store.append("a/1", "two", "a/2");
    expect(openFiles()).toEqual([join(root, "a/1.json")]);
    await store.close();
    expect(openFiles()).toEqual([]);
  });

  it("grow on after close()", async () => {
    const store = openStore();
    await store.create("a/1", "");
    await store.append("a/1", "one", "a/2", quick);
    await store.close();
    expect(await store.append("a/1", "two", "a/2", quick)).toBe(true);
    expect(await store.get("a/1")).toBe("onetwo");
    await store.close();
  });

  it("are closed after the appends that close() finds under way", async () => {
    const store = openStore();
    await store.create("a/1", "");
    const appends = numbers(20).map((number) => store.append("a/1", String(number % 10).repeat(100_000), "a/2"));
    await store.close();
    expect(new Set(await Promise.all(appends))).toEqual(new Set([true]));
    expect((await store.get("a/1"))?.length).toBe(2_000_000);
    await store.close();
    expect(openFiles()).toEqual([]);
  });

  it("are closed when their key is deleted, replaced or cleared, by whomever", async () => {
    const store = openStore();
    const goodbyes = [
      () => store.deleteMany(["a/1"]),
      () => store.set("a/1", "new"),
      () => emptyStore(store),
      async () => {
        await unlink(join(root, "a/1.json"));
        await store.append("a/1", "lost", "a/2", quick);
      },
    ];
    for (const sayGoodbye of goodbyes) {
      await store.deleteMany(["a/1"]);
      await store.create("a/1", "");
      await store.append("a/1", "one", "a/2", quick);
      await sayGoodbye();
      expect(openFiles()).toEqual([]);
    }
  });

  it("are few, however many keys grow", async () => {
    const store = openStore();
    const keys = numbers(100).map((number) => `a/${number}`);
    for (const key of keys) await store.create(key, "");
    for (const key of keys) await store.append(key, "x", "fence", quick);
    expect(openFiles().length).toBeLessThanOrEqual(16);
    await store.close();
  });

  it("are not relied upon once another file has their name", async () => {
    const store = openStore();
    await store.create("a/1", "old");
    await store.append("a/1", " and older", "a/2", quick);
    await writeFile(join(root, "a/other"), "new");
    await rename(join(root, "a/other"), join(root, "a/1.json"));
    expect(await store.append("a/1", " lost", "a/2", quick)).toBe(false);
    expect(await store.append("a/1", " kept", "a/2", quick)).toBe(true);
    expect(await store.get("a/1")).toBe("new kept");
    await store.close();
  });

  it("are not relied upon once deleted, though a killed creator left another link to them", async () => {
    const store = openStore();
    await store.create("a/1", "");
    await link(join(root, "a/1.json"), join(root, "a/.left-behind.tmp"));
    await store.append("a/1", "one", "a/2", quick);
    await unlink(join(root, "a/1.json"));
    expect(await store.append("a/1", "two", "a/2", quick)).toBe(false);
    await store.close();
  });

  it("do not count as fenced or gone when the look itself fails", async () => {
    const store = openStore();
    await store.create("a/1", "");
    await symlink("loop.json", join(root, "a/loop.json"));
    await expect(store.append("a/1", "one", "a/loop", quick)).rejects.toMatchObject({ code: "STORE_FAILED" });
    await expect(store.append("a/loop", "one", "a/2", quick)).rejects.toMatchObject({ code: "STORE_FAILED" });
    await store.close();
  });

  it("reject a write that fails, and name the file and the remedy", async () => {
    const store = openStore();
    await mkdir(join(root, "a"));
    await symlink("/dev/full", join(root, "a/1.json"));
    for (const options of [quick, { sync: true }]) {
      await expect(store.append("a/1", "chunk", "a/2", options)).rejects.toMatchObject({
        code: "STORE_FAILED",
        message: expect.stringMatching(/append to .*a\/1\.json: ENOSPC.*Free space/),
        cause: expect.objectContaining({ code: "ENOSPC" }),
      });
    }
    await store.close();
  });
});

describe.skipIf(!onLinux || !isRoot)("files that grow on a full disk", () => {
  beforeEach(() => run("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", root]));
  afterEach(() => run("umount", ["-l", root]));

  it.each([quick, { sync: true }])("start a new line after one that was torn, %j", async (options) => {
    const store = openStore();
    await store.create("a/1", "first\n");
    await store.set("ballast", "x".repeat(12_000));
    const line = `${"y".repeat(60_000)}\n`;
    await expect(store.append("a/1", line, "a/2", options)).rejects.toMatchObject({ code: "STORE_FAILED" });
    await store.deleteMany(["ballast"]);
    const torn = await readFile(join(root, "a/1.json"), "utf8");
    expect(torn).toMatch(/^first\ny+$/);
    await store.close();
    expect(await store.append("a/1", "second\n", "a/2", options)).toBe(true);
    expect(await store.append("a/1", "third\n", "a/2", options)).toBe(true);
    expect(await store.get("a/1")).toBe(`${torn}\nsecond\nthird\n`);
    await store.close();
  });
});
