import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fsStore, fsStoreAt } from "../../adapters/fs/index.js";
import { isGrowing } from "../../core/contract/index.js";
import { listed } from "../../plugins/testing/store/case.js";
import { emptyStore } from "../helpers/stores/store-contents.js";
import { fsSuite } from "./fs-suite.js";

const HOUR = 60 * 60 * 1000;
const temporaryFolder = async () => realpath(await mkdtemp(join(tmpdir(), "fs-store-")));

// The matrix has more keys and longer values, and stores that do not append or that wait for the disk.
fsSuite("fsStoreAt", {}, { grows: true, many: 50, largest: 300_000 });

describe("fsStore", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => rm(folder, { recursive: true }));

  const context = (rootDir: string) => ({ appName: "app", stage: "dev", rootDir, profile: undefined, warn: () => {} });
  const mode = async (...path: string[]) => ((await stat(join(folder, ...path))).mode & 0o777).toString(8);

  it("keeps the state in .engine below the project's root folder, unless told where", () => {
    expect(fsStore()(context(folder)).location).toBe(join(folder, ".engine"));
    expect(fsStore({ root: "state" })(context(folder)).location).toBe(join(folder, "state"));
    expect(fsStore({ root: "/srv/state" })(context(folder)).location).toBe("/srv/state");
    expect(fsStore()(context(folder))).toMatchObject({ name: "fs", local: true });
    expect(isGrowing(fsStore()(context(folder)))).toBe(true);
    expect("append" in fsStore({ append: false })(context(folder))).toBe(false);
  });

  it("makes no folder and no file before it is written to", async () => {
    const store = fsStore()(context(folder));
    expect(await store.get("app/dev/key")).toBeUndefined();
    expect(await store.deleteMany(["app/dev/key"])).toBe(false);
    expect(await listed(store, "")).toEqual([]);
    await emptyStore(store);
    expect(await readdir(folder)).toEqual([]);
  });

  it("writes files that look like the keys and the values", async () => {
    const store = fsStoreAt(folder);
    await store.create("my%20app/dev/journal/000000000001", '{"a":1}\n');
    expect(await readFile(join(folder, "my%20app/dev/journal/000000000001.json"), "utf8")).toBe('{"a":1}\n');
  });

  it("lets only the owner see them", async () => {
    const store = fsStore()(context(folder));
    await store.create("app/created", "value");
    await store.set("app/set", "value");
    expect(await mode(".engine")).toBe("700");
    expect(await mode(".engine/app")).toBe("700");
    expect(await mode(".engine/app/created.json")).toBe("600");
    expect(await mode(".engine/app/set.json")).toBe("600");
    expect(await mode(".engine/.gitignore")).toBe("600");
  });

  it("keeps a .engine folder that it makes out of version control", async () => {
    await fsStore()(context(folder)).create("app/key", "value");
    expect(await readFile(join(folder, ".engine/.gitignore"), "utf8")).toBe("*\n");
  });

  it("leaves a .engine folder that was there, and a root of another name, as they are", async () => {
    await mkdir(join(folder, ".engine"));
    await fsStore()(context(folder)).create("app/key", "value");
    await fsStore({ root: "state" })(context(folder)).create("app/key", "value");
    expect(await readdir(join(folder, ".engine"))).toEqual(["app"]);
    expect(await readdir(join(folder, "state"))).toEqual(["app"]);
  });

  it("ignores files that are not its own", async () => {
    const store = fsStoreAt(folder);
    await store.set("a/key", "value");
    const foreign = [
      ".DS_Store",
      ".gitignore",
      "._key.json",
      ".key.json.swp",
      "key.json~",
      "key (copy).json",
      "note.txt",
    ];
    for (const name of [...foreign, "key.log", "#key.json#", ".nfs0001.json", "tr\u00e9s.json", "trailing..json"]) {
      await writeFile(join(folder, "a", name), "foreign");
    }
    await mkdir(join(folder, ".git"));
    await writeFile(join(folder, ".git", "config.json"), "foreign");
    await mkdir(join(folder, "a", "folder.json"));
    await symlink("/etc/hostname", join(folder, "a", "link.json"));
    expect(await listed(store, "")).toEqual(["a/key"]);
    await emptyStore(store);
    expect(await readdir(join(folder, "a"))).toHaveLength(14);
    expect(await readFile(join(folder, ".git", "config.json"), "utf8")).toBe("foreign");
  });

  it("sweeps temporary files that are an hour old, and no younger ones", async () => {
    const name = (digit: string) => `.${digit.repeat(8)}-0000-0000-0000-000000000000.tmp`;
    await mkdir(join(folder, "a"));
    for (const file of [name("1"), name("2"), ".mine.tmp"]) await writeFile(join(folder, "a", file), "");
    const old = new Date(Date.now() - 2 * HOUR);
    for (const file of [name("1"), ".mine.tmp"]) await utimes(join(folder, "a", file), old, old);
    await fsStoreAt(folder).create("a/key", "value");
    expect((await readdir(join(folder, "a"))).sort()).toEqual([".mine.tmp", name("2"), "key.json"].sort());
  });

  it("sweeps nothing of a living process if its own clock is wrong by a day", async () => {
    const young = ".11111111-0000-0000-0000-000000000000.tmp";
    await mkdir(join(folder, "a"));
    await writeFile(join(folder, "a", young), "");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 24 * HOUR });
    try {
      await fsStoreAt(folder).create("a/key", "value");
    } finally {
      vi.useRealTimers();
    }
    expect((await readdir(join(folder, "a"))).sort()).toEqual([young, "key.json"]);
  });

  it("finds its folder gone in mid-run, and makes it again", async () => {
    const store = fsStoreAt(join(folder, "state"));
    await store.set("app/key", "value");
    await rm(join(folder, "state"), { recursive: true });
    expect(await store.get("app/key")).toBeUndefined();
    expect(await store.create("app/key", "value")).toBe(true);
  });

  it("is indifferent to the current working directory after it was opened", async () => {
    const before = process.cwd();
    process.chdir(folder);
    try {
      const store = fsStoreAt("state");
      process.chdir(before);
      await store.set("key", "value");
      expect(await readdir(folder)).toEqual(["state"]);
    } finally {
      process.chdir(before);
    }
  });
});
