/** A program whose state is in Redis. At its end, idle without having closed its store, it says what keeps it alive. */
import { redisStore, redisStoreAt } from "../../../adapters/redis/index.js";
import { engine, Resource } from "../../../plugins/index.js";

const { REDIS_URL = "", PREFIX = "", MODE = "" } = process.env;
const options = { url: REDIS_URL, prefix: PREFIX };

if (MODE === "idle") {
  await redisStoreAt(options).set("app/dev/key", "value");
} else {
  const Thing = Resource("e2e:RedisThing", { create: ({ id }) => ({ id }) });
  const app = await engine("redis", { stateStore: redisStore(options) });
  await Thing("a");
  await app.finalize();
}
await new Promise(setImmediate);
// But for the pipe that this goes through.
const others = process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap");
process.stdout.write(`kept alive by [${others}]\n`);
