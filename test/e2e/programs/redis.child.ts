/** A program whose state is in Redis. It says how long after `finalize()` it ended, or, idle, that it never closed its store. */
import { redisStore, redisStoreAt } from "../../../adapters/redis/index.js";
import { engine, Resource } from "../../../plugins/index.js";

const { REDIS_URL = "", PREFIX = "", MODE = "" } = process.env;
const options = { url: REDIS_URL, prefix: PREFIX };
let start = performance.now();
process.on("exit", () => process.stdout.write(`ended ${Math.round(performance.now() - start)} ms later\n`));

if (MODE === "idle") {
  await redisStoreAt(options).set("app/dev/key", "value");
} else {
  const Thing = Resource("e2e:RedisThing", { create: ({ id }) => ({ id }) });
  const app = await engine("redis", { stateStore: redisStore(options) });
  await Thing("a");
  await app.finalize();
}
start = performance.now();
