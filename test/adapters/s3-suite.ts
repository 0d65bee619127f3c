/** What every store keeps to, held against the S3 server of the tests. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, it } from "vitest";
import { type StoreSuiteOptions, testStateStore } from "../../core/testing/store/suite.js";
import { makeTestBucket, s3TestStore } from "../helpers/s3-store.js";
import { emptyStore } from "../helpers/store-contents.js";
import { describeWithS3 } from "../servers/given-s3.js";

/** The server of the tests completes its listings after it has answered: what was raced for may show in them a moment longer. */
const RACED = "is of one mind about a key that was set and deleted at once";
const runner = {
  describe,
  it: (title: string, run: () => Promise<void>) => it(title, { retry: title === RACED ? 2 : 0 }, run),
};

/** @param suite sizes */
export function s3Suite(suite: StoreSuiteOptions): void {
  describeWithS3("S3", () => {
    beforeAll(() => makeTestBucket());

    describe("s3StoreAt", () => {
      const open = async () => {
        const prefix = randomUUID();
        const close = async () => {
          const store = s3TestStore(prefix);
          await emptyStore(store);
          await store.close();
        };
        return { store: s3TestStore(prefix), reopen: async () => s3TestStore(prefix), close };
      };
      const impatient = { retryTimeout: 100, requestTimeout: 1_000 };
      const credentials = { accessKeyId: "nobody", secretAccessKey: "wrong" };
      const broken = {
        "nobody answers": () => s3TestStore("nowhere", { endpoint: "http://127.0.0.1:1", ...impatient }),
        "the key is wrong": () => s3TestStore("nowhere", { credentials, ...impatient }),
        "there is no such bucket": () => s3TestStore("nowhere", { bucket: "scope-engine-nowhere", ...impatient }),
      };
      testStateStore(runner, open, { ...suite, broken });
    });
  });
}
