import { beforeAll } from "vitest";
import { makeTestBucket } from "../helpers/stores/s3-store.js";
import { describeWithS3 } from "../servers/given-s3.js";
import { killMatrix } from "./kill-matrix.js";
import { places } from "./places/s3.js";
import { othersOnS3, samples } from "./scenarios.js";

describeWithS3("S3", () => {
  beforeAll(() => makeTestBucket());
  killMatrix(places, [...samples, ...othersOnS3], { kills: [2] });
});
