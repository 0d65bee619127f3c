/** A stage in a bucket of its own, on any S3 server. */
import { CreateBucketCommand, PutBucketVersioningCommand } from "@aws-sdk/client-s3";
import { s3Store, s3StoreAt } from "../../adapters/s3/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { listed } from "../../plugins/testing/store/case.js";
import { s3ClientOf } from "../servers/s3-client.js";
import type { S3Settings } from "../servers/variables.js";

/** Makes a bucket, and a stage in it. */
export async function makeStage(settings: S3Settings, bucket: string, isVersioned = false): Promise<void> {
  const client = s3ClientOf(settings);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  if (isVersioned) {
    const VersioningConfiguration = { Status: "Enabled" } as const;
    await client.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration }));
  }
  client.destroy();
  const stateStore = s3Store(optionsFor(settings, bucket));
  const app = await createEngine({ plugins: [] })("app", { stage: "dev", stateStore, argv: [], env: {} });
  await app.set("key", "value");
  await app.finalize();
}

function optionsFor({ endpoint, accessKeyId, secretAccessKey }: S3Settings, bucket: string) {
  return { bucket, endpoint, credentials: { accessKeyId, secretAccessKey } };
}

/** Fails if any object left there could be taken for a state. */
export async function leftIn(settings: S3Settings, bucket: string): Promise<string[]> {
  const store = s3StoreAt(optionsFor(settings, bucket));
  const keys = await listed(store, "");
  await store.close();
  return keys;
}
