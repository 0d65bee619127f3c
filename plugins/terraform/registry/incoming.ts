/** Where what is being downloaded is until it is known to be right: a folder for each, beside what it will become. */
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fate, HOUR, identity, makeOwnFolder, type ProcessIdentity, uuid } from "../../../core/base/index.js";

const [INCOMING, OWNER] = [".incoming", "owner.json"];

/** Calls `work` with an empty folder, which is gone afterwards, as are those of processes that were killed. */
export async function withIncoming<T>(root: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(root, INCOMING, uuid());
  makeOwnFolder(folder);
  try {
    await writeFile(join(folder, OWNER), JSON.stringify(identity()), { mode: 0o600 });
    await sweep(root, folder);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function sweep(root: string, own: string): Promise<void> {
  // The disk's own clock: that of a process may be wrong by days.
  const now = (await stat(own)).mtimeMs;
  for (const name of await readdir(join(root, INCOMING))) {
    const folder = join(root, INCOMING, name);
    // What cannot be removed stays: it takes room, and does no other harm.
    if (folder !== own && (await isLeft(folder, now)))
      await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

async function isLeft(folder: string, now: number): Promise<boolean> {
  const owner: ProcessIdentity | undefined = await readFile(join(folder, OWNER), "utf8")
    .then(JSON.parse)
    .catch(() => undefined);
  const sight = owner === undefined ? "unknown" : fate(owner, identity());
  if (sight !== "unknown") return sight === "gone";
  const touched = (await stat(folder).catch(() => undefined))?.mtimeMs;
  // Of another machine that shares the folder, or from before the owner was noted.
  return touched !== undefined && now - touched > 24 * HOUR;
}
