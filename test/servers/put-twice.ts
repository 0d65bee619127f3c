import { CreateBucketCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { s3ClientOf } from "./s3-client.js";
import type { S3Settings } from "./variables.js";

/** Puts an object twice on condition that it does not exist. */
export async function putTwice(settings: S3Settings): Promise<void> {
  const client = s3ClientOf(settings);
  const Bucket = "a-bucket";
  await client.send(new CreateBucketCommand({ Bucket }));
  for (const Body of ["first", "second"]) {
    await client.send(new PutObjectCommand({ Bucket, Key: "key", Body, IfNoneMatch: "*" }));
  }
}
