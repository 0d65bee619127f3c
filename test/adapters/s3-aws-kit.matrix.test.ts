/** The conformance suite on a double of AWS, whose pages are small; every test run has it on a real S3. */
import { describe, it } from "vitest";
import { type S3Store, s3StoreAt } from "../../adapters/s3/index.js";
import { testStateStore } from "../../plugins/testing/index.js";
import { startAwsDouble } from "../servers/aws-double.js";

const bucket = "team-state";

describe("s3StoreAt on AWS", () => {
  const opened = async () => {
    const aws = await startAwsDouble({ buckets: [bucket], pageSize: 7 });
    const { endpoint, accessKeyId, secretAccessKey } = aws;
    const credentials = { accessKeyId, secretAccessKey };
    const patience = { retryTimeout: 30_000, requestTimeout: 10_000 };
    const open = (): S3Store => s3StoreAt({ bucket, endpoint, credentials, ...patience });
    return { store: open(), reopen: async () => open(), close: () => aws.stop() };
  };
  const credentials = { accessKeyId: "a", secretAccessKey: "b" };
  const endpoint = "http://127.0.0.1:1";
  const nobody = () => s3StoreAt({ bucket, endpoint, credentials, retryTimeout: 100, requestTimeout: 1_000 });
  testStateStore({ describe, it }, opened, { broken: { "nobody answers": nobody } });
});
