import { S3Client } from "@aws-sdk/client-s3";
import type { S3Settings } from "./variables.js";

/** A client that sends each request once, so that a test sees its result. */
export function s3ClientOf({ endpoint, region, accessKeyId, secretAccessKey }: S3Settings): S3Client {
  return new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId, secretAccessKey },
  });
}
