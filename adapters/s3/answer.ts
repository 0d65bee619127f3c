/** Answers that say "OK" and are not S3's, such as a sign-in page or a web console gives: they are none to go by. */
import type { GetObjectCommandOutput, ListObjectsV2CommandOutput } from "@aws-sdk/client-s3";
import { NOT_S3 } from "./error.js";

/** Every object that was put or got has a tag. */
export function checkObject({ ETag: tag }: { readonly ETag?: string }): void {
  if (tag === undefined) throw notS3("an answer without an ETag");
}

/** Tag of an object without a byte, where the tag is the digest of its contents. */
const EMPTY_TAG = '"d41d8cd98f00b204e9800998ecf8427e"';

/** An answer without a body is none, unless the tag says that the object is empty; of encrypted ones no tag says so. */
export function checkText(text: string, { ETag: tag, ...answer }: GetObjectCommandOutput): void {
  const isEncrypted = answer.SSEKMSKeyId !== undefined || answer.SSECustomerAlgorithm !== undefined;
  if (text === "" && tag !== EMPTY_TAG && !isEncrypted) throw notS3("an answer without the object's contents");
}

/** A list that is empty says at least so. */
export function checkList({ Name, KeyCount, MaxKeys, ...answer }: ListObjectsV2CommandOutput): void {
  const { IsTruncated: isTruncated, NextContinuationToken: next } = answer;
  if ([Name, KeyCount, MaxKeys, isTruncated].every((member) => member === undefined)) {
    throw notS3("an answer that is no list");
  }
  if (isTruncated && !next) throw notS3("a list that goes on, and does not say where");
}

function notS3(what: string): Error {
  const error = new Error(what);
  error.name = NOT_S3;
  return error;
}
