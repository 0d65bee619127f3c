import { randomUUID } from "node:crypto";
import { beforeAll, describe, it } from "vitest";
import { testStateStore } from "../../core/testing/store-suite.js";
import { makeTestBucket, s3TestStore } from "../helpers/s3-store.js";
import { describeWithS3 } from "../servers/given-s3.js";

describeWithS3("S3", () => {
  beforeAll(() => makeTestBucket());

  describe("s3StoreAt", () => {
    testStateStore({ describe, it }, async () => {
      const prefix = randomUUID();
      const close = async () => {
        const store = s3TestStore(prefix);
        await store.clear();
        await store.close();
      };
      return { store: s3TestStore(prefix), reopen: async () => s3TestStore(prefix), close };
    });
  });
});
