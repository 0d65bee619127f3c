/** One round of eight processes on one stage, in each kind of store; the files of the matrix have many. */
import { beforeAll, describe, it } from "vitest";
import { makeTestBucket } from "../helpers/s3-store.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { describeWithS3 } from "../servers/given-s3.js";
import * as remote from "./contention-remote.js";
import * as files from "./contention-stores.js";
import { contentionSuite } from "./contention-suite.js";

const runner = { describe, it };

contentionSuite(runner, { module: files.module, name: "segments", open: files.STORES.segments }, 1);
describeWithRedis("Redis", () => {
  contentionSuite(runner, { module: remote.module, name: "redis", open: remote.STORES.redis }, 1);
});
describeWithS3("S3", () => {
  beforeAll(() => makeTestBucket());
  contentionSuite(runner, { module: remote.module, name: "s3", open: remote.STORES.s3 }, 1);
});
