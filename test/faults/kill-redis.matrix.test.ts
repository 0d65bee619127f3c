import { describeWithRedis } from "../servers/given-redis.js";
import { killMatrix } from "./kill-matrix.js";
import { places } from "./places/redis.js";
import { othersOnRedis, samples } from "./scenarios.js";

describeWithRedis("Redis", () => killMatrix(places, [...samples, ...othersOnRedis], { kills: [2] }));
