/** One scenario in files, in Redis and in a bucket; the others are in the files of the matrix. */
import { beforeAll } from "vitest";
import { makeTestBucket } from "../helpers/s3-store.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { describeWithS3 } from "../servers/given-s3.js";
import { killMatrix } from "./kill-matrix.js";
import { places as files } from "./places/fs.js";
import { places as redis } from "./places/redis.js";
import { places as s3 } from "./places/s3.js";
import { samples } from "./scenarios.js";

killMatrix(files, samples, { kills: [2] });
describeWithRedis("Redis", () => killMatrix(redis, samples, { kills: [1] }));
describeWithS3("S3", () => {
  beforeAll(() => makeTestBucket());
  killMatrix(s3, samples, { kills: [1] });
});
