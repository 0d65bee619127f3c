/** Requests of a run of thousands of resources to a store over the network, and of fewer to a bucket. */
import { beforeAll } from "vitest";
import { makeTestBucket } from "../helpers/stores/s3-store.js";
import { describeWithPostgres } from "../servers/given-postgres.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { describeWithS3 } from "../servers/given-s3.js";
import { requests } from "./remote-requests.js";
import { asksLittle, remoteRuns } from "./remote-runs.js";

const MANY = [1_000, 10_000];

describeWithS3("a run far from its state in S3", () => {
  beforeAll(() => makeTestBucket());
  requests("s3");
  asksLittle(remoteRuns("s3"), MANY);
});
describeWithRedis("a run far from its state in Redis", () => asksLittle(remoteRuns("redis"), MANY));
describeWithPostgres("a run far from its state in PostgreSQL", () => asksLittle(remoteRuns("postgres"), MANY, 3));
