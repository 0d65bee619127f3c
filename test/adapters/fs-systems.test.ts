/** The file store as it is on Windows, on a simulated disk of this machine that behaves so. */

import { readdirSync, readlinkSync } from "node:fs";
import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Disk, thisDisk } from "../../adapters/fs/disk.js";
import type { FsStore } from "../../adapters/fs/index.js";
import { openFolder } from "../../adapters/fs/open.js";

let root: string;
const stores: FsStore[] = [];
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "fs-systems-")));
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  await rm(root, { recursive: true });
});

function open(disk: Partial<Disk>): FsStore {
  const store = openFolder(root, {}, { ...thisDisk, ...disk });
  stores.push(store);
  return store;
}

function refused(): Error {
  return Object.assign(new Error("EPERM: operation not permitted, rename"), { code: "EPERM" });
}

/** Files below the root that this process has open; only Linux reports them. */
function opened(): string[] {
  const links = readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      return [readlinkSync(`/proc/self/fd/${name}`)];
    } catch {
      return [];
    }
  });
  return links.filter((path) => path.startsWith(root));
}

describe("the store in files on Windows", () => {
  it("waits until a virus scanner releases a value that it replaces", async () => {
    let left = 3;
    const store = open({
      platform: "win32",
      async rename(from, to) {
        if (left-- > 0) throw refused();
        await thisDisk.rename(from, to);
      },
    });
    await store.set("app/dev/lease/a", "1");
    expect(await store.get("app/dev/lease/a")).toBe("1");
    expect(await readdir(join(root, "app/dev/lease"))).toEqual(["a.json"]);
  });

  it.runIf(process.platform === "linux")(
    "has no file open that it replaces: Windows would refuse that for ever",
    async () => {
      const store = open({
        platform: "win32",
        async rename(from, to) {
          if (opened().includes(to)) throw refused();
          await thisDisk.rename(from, to);
        },
      });
      await store.create("app/dev/journal/1", "one\n");
      expect(await store.append?.("app/dev/journal/1", "two\n", "app/dev/journal/2", { sync: false })).toBe(true);
      expect(opened()).toEqual([join(root, "app/dev/journal/1.json")]);
      await store.set("app/dev/journal/1", "other\n");
      expect(await store.append?.("app/dev/journal/1", "more\n", "app/dev/journal/2", { sync: false })).toBe(true);
      expect(await store.get("app/dev/journal/1")).toBe("other\nmore\n");
    },
  );

  it("removes the name of a deleted value at once, even if another process has it open", async () => {
    const renamed: string[] = [];
    const store = open({
      platform: "win32",
      async rename(from, to) {
        renamed.push(from);
        await thisDisk.rename(from, to);
      },
    });
    await store.create("app/dev/journal/1", "one\n");
    expect(await store.deleteMany(["app/dev/journal/1", "app/dev/journal/2"])).toBe(true);
    expect(renamed).toContain(join(root, "app/dev/journal/1.json"));
    expect(await store.get("app/dev/journal/1")).toBeUndefined();
    expect(await readdir(join(root, "app/dev/journal"))).toEqual([]);
    expect(await store.deleteMany(["app/dev/journal/1"])).toBe(false);
  });

  it("knows a file by all 64 bits of its number", async () => {
    const store = open({ platform: "win32" });
    await store.create("app/dev/journal/1", "one\n");
    expect(await store.append?.("app/dev/journal/1", "two\n", "app/dev/journal/2")).toBe(true);
    const other = open({});
    await other.deleteMany(["app/dev/journal/1"]);
    await other.create("app/dev/journal/1", "another\n");
    expect(await store.append?.("app/dev/journal/1", "three\n", "app/dev/journal/2")).toBe(false);
    expect(await store.get("app/dev/journal/1")).toBe("another\n");
  });

  it("asks no folder to be on the disk, which Windows does not do", async () => {
    const store = openFolder(root, { durability: "full" }, { ...thisDisk, platform: "win32" });
    await store.set("app/dev/a", "1");
    expect(await store.get("app/dev/a")).toBe("1");
  });
});
