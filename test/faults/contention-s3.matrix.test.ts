/** Eight processes on one stage in a bucket. */
import { beforeAll, describe, it } from "vitest";
import { makeTestBucket } from "../helpers/stores/s3-store.js";
import { describeWithS3 } from "../servers/given-s3.js";
import { module, STORES } from "./contention-remote.js";
import { contentionSuite } from "./contention-suite.js";

describeWithS3("S3", () => {
  beforeAll(() => makeTestBucket());
  contentionSuite({ describe, it }, { module, name: "s3", open: STORES.s3 }, 3);
});
