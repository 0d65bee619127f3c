import { describeWithRedis } from "../servers/given-redis.js";
import { networkSuite } from "./network-suite.js";
import { places } from "./places/redis.js";

describeWithRedis("Redis", () => {
  networkSuite("redis", places);
});
