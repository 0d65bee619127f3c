/** The Redis server that all tests share: that of `TEST_REDIS_URL`, else one that is started for the run. */
import { describeUnless, given } from "./given.js";
import { redisUrlIn } from "./variables.js";

const lacks = redisUrlIn(process.env) === undefined ? await given("redis") : undefined;

/** A block of tests that need Redis; others use it too, so each keeps to keys of its own. See `describeUnless`. */
export function describeWithRedis(name: string, body: (url: string) => void): void {
  describeUnless(lacks, name, () => body(redisUrlIn(process.env) ?? "redis://redis.invalid"));
}
