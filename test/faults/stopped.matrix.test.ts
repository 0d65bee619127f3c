/** Stores without `append`, and those that machines share. */
import { beforeAll } from "vitest";
import { makeTestBucket } from "../helpers/stores/s3-store.js";
import { describeWithPostgres } from "../servers/given-postgres.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { describeWithS3 } from "../servers/given-s3.js";
import { places as entries } from "./places/fs-entries.js";
import { places as postgres } from "./places/postgres.js";
import { places as redis } from "./places/redis.js";
import { places as s3 } from "./places/s3.js";
import { stopping } from "./stopped-suite.js";

stopping(entries);
describeWithRedis("on Redis", () => stopping(redis));
describeWithPostgres("on PostgreSQL", () => stopping(postgres));
describeWithS3("on S3", () => {
  beforeAll(() => makeTestBucket());
  stopping(s3);
});
