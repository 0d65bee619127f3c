/** The Redis server that all tests share: that of `TEST_REDIS_URL`, else one that is started for the run. */
import { describeUnless, given } from "./given.js";
import { redisUrlIn } from "./variables.js";

const lacks = redisUrlIn(process.env) === undefined ? await given("redis") : undefined;

/** Undefined where there is none; others use it too, so each test keeps to keys of its own. */
export function redisUrl(): string | undefined {
  return redisUrlIn(process.env);
}

/** A block of tests that need Redis; see `describeUnless`. */
export function describeWithRedis(name: string, body: (url: string) => void): void {
  describeUnless(lacks, name, () => body(redisUrl() ?? ""));
}
