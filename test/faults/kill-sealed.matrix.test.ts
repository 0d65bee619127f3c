/** The scenarios that affect the seals of a stage, with a key. */
import { beforeAll } from "vitest";
import { makeTestBucket } from "../helpers/stores/s3-store.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { describeWithS3 } from "../servers/given-s3.js";
import { killMatrix } from "./kill-matrix.js";
import { places as files } from "./places/fs.js";
import { places as entries } from "./places/fs-entries.js";
import { places as redis } from "./places/redis.js";
import { places as s3 } from "./places/s3.js";
import { sealed, sealedSamples } from "./scenarios.js";

killMatrix(files, sealed, { kills: [2] });
killMatrix(entries, sealedSamples, { kills: [2] });
killMatrix(files, sealedSamples, { kills: [1, 3] });
describeWithRedis("Redis", () => killMatrix(redis, sealedSamples, { kills: [2] }));
describeWithS3("S3", () => {
  beforeAll(() => makeTestBucket());
  killMatrix(s3, sealedSamples, { kills: [2] });
});
