/** What every store keeps to, held against the S3 server of the tests. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, it } from "vitest";
import { type StoreSuiteOptions, type TestRunner, testStateStore } from "../../core/testing/store/suite.js";
import { makeTestBucket, s3TestStore } from "../helpers/s3-store.js";
import { emptyStore } from "../helpers/store-contents.js";
import { describeWithS3 } from "../servers/given-s3.js";

/** Titles of tests by their topics. */
type Topics = Readonly<Record<string, RegExp>>;

/** Variants, and those that have more to do where there are more keys, or longer values. */
export const SIZED: Topics = {
  "any text": /large/,
  "every other key": /./,
  "many at once": /./,
  list: /many|more|as of one moment/,
};

/** All but variants, and what takes hundreds of requests. */
export const SAMPLE: Topics = {
  "one value": /./,
  "any text": /./,
  "keys of the engine": /./,
  "every other key": /escape|script/,
  "many at once": /^(?!.*\b2[05]0\b)/,
  list: /^(?!.*as of one moment)/,
  create: /./,
  append: /./,
  "another client": /./,
  close: /./,
  "broken: nobody answers": /./,
  "broken: the key is wrong": /./,
  "broken: there is no such bucket": /./,
};

/** Makes those tests alone; the topic is known while its tests are made. */
function runnerOf(only?: Topics): TestRunner {
  let titles: RegExp | undefined;
  return {
    describe(topic, body) {
      const own = only ? only[topic] : /./;
      if (!own) return;
      describe(topic, () => {
        titles = own;
        body();
      });
    },
    it(title, run) {
      if (titles?.test(title)) it(title, run);
    },
  };
}

/**
 * @param suite sizes
 * @param only the tests that are made. Default: all
 */
export function s3Suite(suite: StoreSuiteOptions, only?: Topics): void {
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
      testStateStore(runnerOf(only), open, { ...suite, broken });
    });
  });
}
