import { beforeAll } from "vitest";
import { machineOfItsOwn } from "../helpers/processes/own-machine.js";
import { makeTestBucket } from "../helpers/stores/s3-store.js";
import { describeWithS3 } from "../servers/given-s3.js";
import { remote, seals } from "./sealed-stages.js";

machineOfItsOwn();

describeWithS3("a stage that has a key, in S3", () => {
  beforeAll(() => makeTestBucket());
  seals(remote("s3"));
});
