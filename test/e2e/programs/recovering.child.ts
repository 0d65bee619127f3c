/** Makes three resources, one at a time. With FAULT the store fails while the first one is being made. */
import { appendFileSync } from "node:fs";
import { resolve } from "node:path";
import { fsStoreAt } from "../../../adapters/fs/index.js";
import { engine, Resource } from "../../../plugins/index.js";

const stateStore = fsStoreAt(resolve(".engine"));

function breakStore(): void {
  const broken = (): Promise<never> => Promise.reject(new Error("no space left on device"));
  Object.assign(stateStore, { append: broken, create: broken });
}

const Thing = Resource("e2e:RecoveredThing", {
  async create({ id, physicalName, set, signal }) {
    appendFileSync("world.log", `create ${id}\n`);
    if (process.env.FAULT) {
      breakStore();
      const told = new Promise((tell) => signal.addEventListener("abort", tell));
      await set("steps", 1);
      await told;
      await set("steps", 2);
    }
    return { name: physicalName };
  },
  async delete({ id, get }) {
    appendFileSync("world.log", `delete ${id} after ${(await get("steps")) ?? "no"} steps\n`);
  },
});

const app = await engine("recovering", { stateStore, concurrency: 1 });
await Promise.all(["a", "b", "c"].map((id) => Thing(id)));
await app.finalize();
await stateStore.close?.();
