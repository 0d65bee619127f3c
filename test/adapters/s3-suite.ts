/** The contract of stores, checked against the S3 server of the tests. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, it } from "vitest";
import { type StoreSuiteOptions, type TestRunner, testStateStore } from "../../plugins/testing/index.js";
import { makeTestBucket, s3TestStore } from "../helpers/stores/s3-store.js";
import { emptyStore } from "../helpers/stores/store-contents.js";
import { describeWithS3 } from "../servers/given-s3.js";

/** Titles of tests by their topics. */
type Topics = Readonly<Record<string, RegExp>>;
type Choice = (topic: string, title: string) => boolean;

/** Tests that take longer with more keys or longer values. */
const SIZED: Topics = { "any text": /large/, "every other key": /page/, "many at once": /./, list: /many|more/ };
/**
 * Tests that take hundreds of requests, each of which the client signs; the stores in files and in Redis try the same
 * keys.
 */
const COSTLY: Topics = { "every other key": /./, "many at once": /\d{3} values/, list: /one moment/ };

export const isCheap: Choice = (topic, title) => !COSTLY[topic]?.test(title);
export const isSizedOrCostly: Choice = (topic, title) => !isCheap(topic, title) || SIZED[topic]?.test(title) === true;

/** Makes only the chosen tests, and no topic without a test. */
function runnerOf(isMade: Choice): TestRunner {
  let tests: (readonly [title: string, run: () => Promise<void>])[] = [];
  return {
    describe(topic, body) {
      tests = [];
      body();
      const made = tests.filter(([title]) => isMade(topic, title));
      if (made.length > 0) describe(topic, () => made.forEach(([title, run]) => void it(title, run)));
    },
    it: (title, run) => tests.push([title, run]),
  };
}

/**
 * @param suite sizes
 * @param isMade chooses the tests. Default: all
 */
export function s3Suite(suite: StoreSuiteOptions, isMade: Choice = () => true): void {
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
      testStateStore(runnerOf(isMade), open, { ...suite, broken });
    });
  });
}
