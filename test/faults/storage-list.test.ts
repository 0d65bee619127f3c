/** A folder on a disk that does not say which names are folders: Node looks each of them up, and one may be gone. */
import fs from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fsStoreAt } from "../../adapters/fs/index.js";
import { listed } from "../../plugins/testing/store/case.js";

const { readdir } = fs.promises;
let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "storage-list-")));
});
afterEach(async () => {
  Object.assign(fs.promises, { readdir });
  syncBuiltinESMExports();
  await rm(root, { recursive: true });
});

/** So many lists meet a name that disappears before it is looked up. */
function vanishing(times: number): { looks: number } {
  const count = { looks: 0 };
  const typeless = async (...args: Parameters<typeof readdir>): Promise<unknown> => {
    if (count.looks++ < times) await fs.promises.lstat(join(String(args[0]), "000000000001.json"));
    return readdir(...args);
  };
  Object.assign(fs.promises, { readdir: typeless });
  syncBuiltinESMExports();
  return count;
}

describe("a list during which a name goes away", () => {
  it("shows the remaining names, and does not take the folder for absent", async () => {
    const store = fsStoreAt(root);
    await store.set("app/dev/checkpoint/000000000002", "");
    const count = vanishing(2);
    expect(await listed(store, "app/dev/checkpoint/")).toEqual(["app/dev/checkpoint/000000000002"]);
    expect(count.looks).toBe(3);
  });

  it("fails in the end, rather than to say that nothing is there", async () => {
    const store = fsStoreAt(root);
    await store.set("app/dev/checkpoint/000000000002", "");
    vanishing(1_000);
    const failure = { code: "STORE_FAILED", message: expect.stringContaining("app/dev/checkpoint") };
    await expect(listed(store, "app/dev/checkpoint/")).rejects.toMatchObject(failure);
  });

  it("shows nothing if there is no folder", async () => {
    expect(await listed(fsStoreAt(root), "app/dev/checkpoint/")).toEqual([]);
  });
});
