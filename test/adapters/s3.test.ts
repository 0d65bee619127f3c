import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { s3Store } from "../../adapters/s3.js";
import { listed } from "../../core/testing/store-case.js";
import { testStateStore } from "../../core/testing/store-suite.js";
import { makeTestBucket, s3TestOptions, s3TestStore } from "../helpers/s3-store.js";
import { describeWithS3 } from "../servers/given-s3.js";
import { s3Client } from "../servers/s3-client.js";

describeWithS3("S3", (settings) => {
  beforeAll(makeTestBucket);

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
