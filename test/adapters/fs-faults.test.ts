import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { link, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Disk, thisDisk } from "../../adapters/fs/disk.js";
import { type FsStore, fsStoreAt } from "../../adapters/fs/index.js";
import { openFolder } from "../../adapters/fs/open.js";
import { listed } from "../../plugins/testing/store/case.js";
import { compiledProgram } from "../helpers/processes/compiled-program.js";
import { emptyStore } from "../helpers/stores/store-contents.js";

const run = promisify(execFile);
const mounts = process.platform === "linux" && process.getuid?.() === 0;

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "fs-faults-")));
});
afterEach(() => rm(root, { recursive: true }));

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: as told`), { code });
}

function linkedBy(own: Disk["link"]): Disk {
  return { ...thisDisk, link: own };
}

function failing(code: string, cause: string) {
  return {
    code: "STORE_FAILED",
    message: expect.stringContaining(code),
    cause: expect.objectContaining({ code: cause }),
  };
}

describe("a file system without hard links", () => {
  it.each(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV", "EMLINK", "EISDIR"])("is refused, %s", async (code) => {
    const store = openFolder(
      root,
      {},
      linkedBy(async () => {
        throw failure(code);
      }),
    );
    await expect(store.create("a/key", "value")).rejects.toMatchObject(failing("no hard links", code));
    expect(await store.get("a/key")).toBeUndefined();
    expect(await readdir(join(root, "a"))).toEqual([]);
  });
});

describe("a link whose outcome is in doubt", () => {
  it("counts as made when the disk denies its own work", async () => {
    const store = openFolder(
      root,
      {},
      linkedBy(async (existing, path) => {
        await link(existing, path);
        throw failure("EEXIST");
      }),
    );
    expect(await store.create("a/key", "value")).toBe(true);
    expect(await store.create("a/key", "value", { sync: false })).toBe(false);
    expect(await readdir(join(root, "a"))).toEqual(["key.json"]);
  });

  it("is an error if nothing decides it", async () => {
    const store = openFolder(
      root,
      {},
      linkedBy(async (existing) => {
        await unlink(existing);
        throw failure("EEXIST");
      }),
    );
    await expect(store.create("a/key", "value")).rejects.toMatchObject(failing("a/key.json", "EEXIST"));
  });

  it("is an error where the disk fails", async () => {
    const store = openFolder(
      root,
      {},
      linkedBy(async () => {
        throw failure("EIO");
      }),
    );
    await expect(store.create("a/key", "value")).rejects.toMatchObject(failing("a/key.json", "EIO"));
    expect(await readdir(join(root, "a"))).toEqual([]);
  });
});

describe("a store that cannot answer", () => {
  it("rejects and never says absent", async () => {
    const store = fsStoreAt(root);
    await symlink("loop.json", join(root, "loop.json"));
    const questions = [() => store.get("loop"), () => store.getMany(["loop", "other"])];
    for (const ask of questions) {
      await expect(ask()).rejects.toMatchObject(failing("loop.json", "ELOOP"));
    }
    await symlink("loop", join(root, "loop"));
    await expect(listed(store, "loop/")).rejects.toMatchObject(failing("list", "ELOOP"));
    await expect(store.deleteMany(["loop/key"])).rejects.toMatchObject(failing("delete", "ELOOP"));
    await expect(store.set("loop/key", "")).rejects.toMatchObject(failing("write", "ELOOP"));
    await expect(store.create("loop/key", "")).rejects.toMatchObject(failing("create", "ELOOP"));
  });

  it("finishes as much as it can, and reports all failures", async () => {
    const store = fsStoreAt(root);
    for (const name of ["one", "two"]) await mkdir(join(root, `${name}.json`));
    await store.set("good", "good");
    const reads = store.getMany(["one", "good", "two"]);
    await expect(reads).rejects.toMatchObject({ message: expect.stringContaining("2 of 3 requests") });
    await expect(store.deleteMany(["one", "good", "two"])).rejects.toMatchObject({ code: "STORE_FAILED" });
    expect((await readdir(root)).sort()).toEqual(["one.json", "two.json"]);
  });

  it.skipIf(process.platform === "win32")("has a named pipe in the journal, and does not wait for it", async () => {
    const store = fsStoreAt(root);
    await mkdir(join(root, "a"));
    await run("mkfifo", [join(root, "a", "key.json")]);
    const refused = { code: "STORE_FAILED", message: expect.stringContaining("a/key.json: it is not a file") };
    await expect(store.get("a/key")).rejects.toMatchObject(refused);
    await expect(store.getMany(["a/key"])).rejects.toMatchObject(refused);
    expect(await store.create("a/key", "value")).toBe(false);
    await expect(store.append?.("a/key", "line", "a/fence", { sync: false })).rejects.toMatchObject({
      code: "STORE_FAILED",
    });
  });

  it("takes a file where a folder should be for absence when reading, for an error when writing", async () => {
    const store = fsStoreAt(root);
    await writeFile(join(root, "a"), "");
    expect(await store.get("a/key")).toBeUndefined();
    expect(await store.deleteMany(["a/key"])).toBe(false);
    expect(await listed(store, "a/")).toEqual([]);
    await expect(store.create("a/key", "value")).rejects.toMatchObject({ code: "STORE_FAILED" });
  });

  it("refuses a key that the system finds too long", async () => {
    const store = fsStoreAt(root);
    await expect(store.create("x".repeat(5_000), "")).rejects.toMatchObject(failing("shorter", "ENAMETOOLONG"));
    await expect(store.get("x".repeat(5_000))).rejects.toMatchObject({ code: "STORE_FAILED" });
  });
});

describe("a root of the state that is not a folder", () => {
  const uses = [
    ["a read", (store: FsStore) => store.get("a/key")],
    ["a list", (store: FsStore) => listed(store, "")],
    ["a write", (store: FsStore) => store.set("a/key", "value")],
    ["a create", (store: FsStore) => store.create("a/key", "value")],
    ["a delete", (store: FsStore) => store.deleteMany(["a/key"])],
    ["a clear", (store: FsStore) => emptyStore(store)],
  ] as const;

  it.each(uses)("is a file, and is not taken for an empty state by %s", async (_, use) => {
    await writeFile(join(root, "state"), "mine");
    await expect(use(fsStoreAt(join(root, "state")))).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringMatching(/state: it is not a folder\. Move it away/),
    });
    expect(await readFile(join(root, "state"), "utf8")).toBe("mine");
  });

  it.each(uses)("is a link to a disk that is not mounted, and does not keep %s going for ever", async (_, use) => {
    await symlink(join(root, "disk"), join(root, "state"));
    await expect(use(fsStoreAt(join(root, "state")))).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringMatching(
        /a symbolic link to .*disk, which does not exist\. Create that folder, mount its disk/,
      ),
    });
  });

  it("is checked again once it has been fixed", async () => {
    await symlink(join(root, "disk"), join(root, "state"));
    const store = fsStoreAt(join(root, "state"));
    await expect(store.get("a/key")).rejects.toMatchObject({ code: "STORE_FAILED" });
    await mkdir(join(root, "disk"));
    expect(await store.create("a/key", "value")).toBe(true);
    expect(await readdir(join(root, "disk", "a"))).toEqual(["key.json"]);
  });

  it("has a folder below it that leads nowhere", async () => {
    await symlink(join(root, "nowhere"), join(root, "a"));
    await expect(fsStoreAt(root).create("a/b/key", "value")).rejects.toMatchObject(failing("a/b", "ENOENT"));
  });
});

describe.skipIf(!mounts)("a disk", () => {
  beforeEach(() => run("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", root]));
  afterEach(() => run("umount", ["-l", root]));

  it("that is full keeps the old value, no new one and no temporary file", async () => {
    const store = fsStoreAt(root);
    await store.set("a/old", "old");
    const large = "x".repeat(100_000);
    await expect(store.create("a/key", large)).rejects.toMatchObject(failing("Free space", "ENOSPC"));
    await expect(store.set("a/old", large)).rejects.toMatchObject(failing("Free space", "ENOSPC"));
    expect(await readdir(join(root, "a"))).toEqual(["old.json"]);
    expect(await store.get("a/old")).toBe("old");
    expect(await store.create("a/key", "small")).toBe(true);
  });

  it("that is read-only can be read", async () => {
    const store = fsStoreAt(root);
    await store.set("a/old", "old");
    await run("mount", ["-o", "remount,ro", root]);
    expect(await store.get("a/old")).toBe("old");
    expect(await listed(store, "")).toEqual(["a/old"]);
    await expect(store.create("a/key", "")).rejects.toMatchObject(failing("read-only", "EROFS"));
    await expect(store.create("b/key", "")).rejects.toMatchObject(failing("read-only", "EROFS"));
    await expect(store.set("a/old", "")).rejects.toMatchObject(failing("read-only", "EROFS"));
    await expect(store.deleteMany(["a/old"])).rejects.toMatchObject(failing("read-only", "EROFS"));
  });
});

describe("a process killed in the middle of create", () => {
  /** Kills a child at the moment that it reports: before or after its link. */
  async function killAt(edge: string): Promise<void> {
    const program = compiledProgram(new URL("fs-killed-creator.child.ts", import.meta.url));
    const child = spawn(process.execPath, [program, root, edge], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "close");
  }

  it("leaves nothing that can be seen, if it had not come to the link", async () => {
    await killAt("before");
    const store = fsStoreAt(root);
    expect(await readdir(join(root, "a"))).toHaveLength(1);
    expect(await listed(store, "")).toEqual([]);
    expect(await store.create("a/key", "other")).toBe(true);
  });

  it("leaves the whole value, if it had", async () => {
    await killAt("after");
    const store = fsStoreAt(root);
    expect(await readdir(join(root, "a"))).toHaveLength(2);
    expect(await listed(store, "")).toEqual(["a/key"]);
    expect((await store.get("a/key"))?.length).toBe(1_000_000);
    expect(await store.create("a/key", "other")).toBe(false);
  });
});
