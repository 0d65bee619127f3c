/** The store in the bucket that tests share, on the S3 server of the test run. */
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { type S3Store, type S3StoreOptions, s3StoreAt } from "../../../adapters/s3/index.js";
import { type S3Settings, s3SettingsIn } from "../../servers/variables.js";

const BUCKET = "scope-engine-tests";

/** @param prefix unique, because it makes a state of its own */
export function s3TestStore(prefix: string, more: Partial<S3StoreOptions> = {}): S3Store {
  return s3StoreAt({ ...s3TestOptions(), prefix, ...more });
}

/**
 * Options with which `s3Store` reaches the bucket, through the given address instead of the server's own if there is
 * one.
 */
export function s3TestOptions(endpoint?: string): S3StoreOptions {
  const { accessKeyId, secretAccessKey, ...server } = settings();
  return { bucket: BUCKET, endpoint: endpoint ?? server.endpoint, credentials: { accessKeyId, secretAccessKey } };
}

/** Creates the bucket if it does not exist. */
export async function makeTestBucket(server = settings()): Promise<void> {
  const { endpoint, region, accessKeyId, secretAccessKey } = server;
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  try {
    await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  } catch (error) {
    if (!(error instanceof Error && /^BucketAlready/.test(error.name))) throw error;
  } finally {
    client.destroy();
  }
}

function settings(): S3Settings {
  const found = s3SettingsIn(process.env);
  if (!found) throw new Error("There is no S3 server: ask for it with describeWithS3.");
  return found;
}
