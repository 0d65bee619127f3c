/** The Redis server that all tests share: that of `TEST_REDIS_URL`, or one that is started for the run. */
import { describeUnless, given } from "./given.js";
import { redisUrlIn } from "./variables.js";

const lacks = redisUrlIn(process.env) === undefined ? await given("redis") : undefined;

/** A block of tests that need Redis. Tests share it, so each uses keys of its own. See `describeUnless`. */
export function describeWithRedis(name: string, body: (url: string) => void): void {
  describeUnless(lacks, name, () => body(redisUrlIn(process.env) ?? "redis://redis.invalid"));
}
