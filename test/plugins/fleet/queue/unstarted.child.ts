/** Starts a worker or a run that cannot begin, and then has nothing left to wait for. */
import { fsStoreAt } from "../../../../adapters/fs/index.js";
import { EngineError } from "../../../../core/base/index.js";
import type { StateStore } from "../../../../core/contract/index.js";
import { type FleetEngineOptions, fleet } from "../../../../plugins/fleet/index.js";
import { Secret } from "../../../../plugins/index.js";

const [call = "", queue = "", folder = "", key = "", fault = "none"] = process.argv.slice(2);

/** Keeps the process alive until it is closed, as a pool of connections does. */
const stateStore = (): StateStore => {
  const store = fsStoreAt(folder);
  const connection = setInterval(() => {}, 1_000);
  const fail = (): never => {
    throw new EngineError("STORE_FAILED", "The store is down.");
  };
  return {
    ...store,
    ...(fault === "down" && { get: async () => fail(), getMany: async () => fail() }),
    ...(fault !== "none" && { create: async () => fail(), set: async () => fail() }),
    async close() {
      clearInterval(connection);
      await store.close?.();
    },
  };
};

const options: FleetEngineOptions = { stateStore, key, env: {} };
const made = fleet("unstarted", {
  stages: [{ stage: "ada", input: { token: new Secret("s3cret") } }],
  program: () => {},
  options,
});
try {
  const signal = AbortSignal.abort();
  if (call === "work") await (await made.work({ queue, signal })).done;
  else await made[call as "up" | "plan"](call === "up" ? {} : { queue });
  process.stdout.write("ended\n");
} catch (error) {
  process.stdout.write(`${error instanceof EngineError ? error.code : String(error)}\n`);
}
