/** A temporary folder of a run's own, so that what the tests leave behind is seen, and goes with the run. */
import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What programs of others keep there from one start to the next. */
const caches = /^(tsx-|v8-compile-cache|node-compile-cache|node-jiti|yarn--|npm-|hsperfdata)/;

/** Its name is short: sockets are made below it, whose paths may have a hundred bytes. */
export async function openPlace() {
  const folder = await mkdtemp(join(await realpath(tmpdir()), "run-"));
  return {
    folder,
    /** Names of what is there and should not be. */
    leftovers: async () => (await readdir(folder)).filter((name) => !caches.test(name)).sort(),
    close: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
}
