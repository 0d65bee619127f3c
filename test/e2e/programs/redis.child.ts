/**
 * A program whose state is in Redis. At its end, idle and with its store still open, it prints the handles that keep it
 * alive.
 */
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
// Except the pipe that this is printed to.
const others = process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap");
process.stdout.write(`kept alive by [${others}]\n`);
