/**
 * Has runs on the store that its first argument names; prints the resources that the process holds during and after
 * them.
 */
import { readdirSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { fsStore } from "../../../adapters/fs/index.js";
import { engine, memoryStore, Resource, type StateStoreOption } from "../../../plugins/index.js";
import { remoteStore } from "../../helpers/stores/remote-stores.js";

const [storeName = "", prefix = ""] = process.argv.slice(2);
const KINDS = ["fine", "destroyed", "failed"] as const;
const Thing = Resource("e2e:LeftoverThing", {
  create: ({ id }) => (id === "bad" ? Promise.reject(new Error("No paper.")) : { id }),
  delete: () => {},
});

interface Held {
  readonly resources: readonly string[];
  readonly listeners: Readonly<Record<string, number>>;
  readonly files: number;
}

function held(): Held {
  const listeners = process.eventNames().map((name) => [String(name), process.listenerCount(name)]);
  return {
    resources: process.getActiveResourcesInfo().sort(),
    listeners: Object.fromEntries(listeners.sort()),
    // Reading the folder opens it, each time.
    files: readdirSync("/proc/self/fd").length,
  };
}

function chosen(): StateStoreOption {
  if (storeName === "memory") return memoryStore();
  if (storeName === "fs") return fsStore();
  if (storeName === "redis" || storeName === "s3") return () => remoteStore(storeName, prefix);
  throw new Error(`There is no store "${storeName}".`);
}

/** Returns the resources that the process held during the run. */
async function run(stateStore: StateStoreOption, kind: (typeof KINDS)[number]): Promise<Held> {
  const app = await engine("leftovers", { stateStore });
  await Promise.all(["a", "b"].map((id) => Thing(id)));
  const during = held();
  if (kind === "failed") await Thing("bad").catch(() => {});
  if (kind === "destroyed") await engine.destroy();
  const failed = await app.finalize().then(
    () => false,
    () => true,
  );
  if (failed !== (kind === "failed")) throw new Error(`It ${failed ? "failed" : "did not fail"}.`);
  return during;
}

/** Ended handles are closed in the following turns of the event loop. */
async function settled(): Promise<Held> {
  for (let turns = 0; turns < 3; turns++) await turn();
  return held();
}

const stateStore = chosen();
// The first run loads modules that stay loaded.
await run(stateStore, "fine");
const before = await settled();
for (const kind of KINDS) {
  const during = await run(stateStore, kind);
  process.stdout.write(`${JSON.stringify({ kind, before, during, after: await settled() })}\n`);
}
