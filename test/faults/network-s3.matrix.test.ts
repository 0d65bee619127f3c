import { beforeAll } from "vitest";
import { makeTestBucket } from "../helpers/stores/s3-store.js";
import { describeWithS3 } from "../servers/given-s3.js";
import { networkSuite } from "./network-suite.js";
import { places } from "./places/s3.js";

describeWithS3("S3", () => {
  beforeAll(() => makeTestBucket());
  networkSuite("s3", places);
});
