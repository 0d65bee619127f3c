import { beforeAll, describe } from "vitest";
import { makeTestBucket } from "../helpers/stores/s3-store.ts";
import { describeWithRedis } from "../servers/given-redis.ts";
import { describeWithS3 } from "../servers/given-s3.ts";
import { leavesNothing } from "./leaves-nothing.ts";
import { folderEach } from "./own-folder.ts";

folderEach("leftovers");

describe("nothing is left", () => {
  describe("with the state in memory", () => leavesNothing("memory"));
  describeWithRedis("with the state in Redis", () => leavesNothing("redis"));
  describeWithS3("with the state in S3", () => {
    beforeAll(() => makeTestBucket());
    leavesNothing("s3");
  });
});
