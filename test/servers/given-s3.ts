/** The S3 server that all tests share: that of `TEST_S3_ENDPOINT`, or one that is started for the run. */
import { describeUnless, given } from "./given.js";
import { type S3Settings, s3SettingsIn } from "./variables.js";

const lacks = s3SettingsIn(process.env) === undefined ? await given("s3") : undefined;
/** Settings for skipped tests, which may make a client before they begin. */
const nowhere: S3Settings = {
  endpoint: "http://s3.invalid",
  region: "none",
  accessKeyId: "none",
  secretAccessKey: "none",
};

/** Undefined if there is none. Tests share it, so each makes a bucket, or a prefix, of its own. */
export function s3Settings(): S3Settings | undefined {
  return s3SettingsIn(process.env);
}

/** A block of tests that need S3; see `describeUnless`. */
export function describeWithS3(name: string, body: (settings: S3Settings) => void): void {
  describeUnless(lacks, name, () => body(s3Settings() ?? nowhere));
}
