/** The S3 that answers 501 to conditional writes, which all tests share. */
import { describeUnless, given } from "./given.js";
import { swiftLogin } from "./swift.js";
import type { S3Settings } from "./variables.js";

const lacks = process.env.TEST_SWIFT_ENDPOINT === undefined ? await given("swift") : undefined;

/** A block of tests that need it; see `describeUnless`. */
export function describeWithSwift(name: string, body: (settings: S3Settings) => void): void {
  describeUnless(lacks, name, () => body({ ...swiftLogin, endpoint: process.env.TEST_SWIFT_ENDPOINT ?? "" }));
}
