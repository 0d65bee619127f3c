import { beforeAll } from "vitest";
import { makeTestBucket } from "../helpers/stores/s3-store.ts";
import { describeWithS3 } from "../servers/given-s3.ts";
import { goesDown } from "./goes-down.ts";

describeWithS3("a store that stays down in S3", () => {
  beforeAll(() => makeTestBucket());
  goesDown("s3");
});
