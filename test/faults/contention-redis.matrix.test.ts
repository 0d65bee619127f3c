/** Eight processes on one stage in Redis. */
import { describe, it } from "vitest";
import { describeWithRedis } from "../servers/given-redis.js";
import { module, STORES } from "./contention-remote.js";
import { contentionSuite } from "./contention-suite.js";

describeWithRedis("Redis", () => contentionSuite({ describe, it }, { module, name: "redis", open: STORES.redis }, 3));
