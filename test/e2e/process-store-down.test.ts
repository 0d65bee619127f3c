import { describe } from "vitest";
import { describeWithRedis } from "../servers/given-redis.ts";
import { goesDown } from "./goes-down.ts";

describe("a store that stays down", () => {
  describeWithRedis("in Redis", () => goesDown("redis"));
});
