/** Operations on the objects of a bucket. */
import { randomUUID } from "node:crypto";
import type {
  DeleteObjectsCommandOutput,
  GetObjectCommandOutput,
  ListObjectsV2CommandOutput,
  PutObjectCommandInput,
} from "@aws-sdk/client-s3";
import { EngineError } from "../../core/base/index.js";
import { eachBounded } from "../kit/bounded.js";
import {
  type Bucket,
  isNoSuchKey,
  isNotImplemented,
  isPreconditionFailed,
  NOT_S3,
  notAtomic,
  notAtomicAnyMore,
  refusedChecksum,
  storeFailed,
} from "./error.js";
import { type Attempt, type Requests, textOf, withMd5 } from "./request.js";

/** Settings for new objects. */
export type PutSettings = Pick<
  PutObjectCommandInput,
  "ServerSideEncryption" | "SSEKMSKeyId" | "StorageClass" | "Tagging"
>;

export interface Page {
  readonly keys: readonly string[];
  /** Token of the next page. */
  readonly next: string | undefined;
}

interface Found {
  readonly text: string;
  readonly writer: string | undefined;
}

/** Name of the metadata that distinguishes two writes of the same value. */
const WRITER = "writer";

/** Maximum of objects that one request can delete. */
const MOST_DELETED = 1_000;

const JSON_TEXT = "application/json; charset=utf-8";

export class Objects {
  readonly #requests: Requests;
  readonly #bucket: Bucket;
  readonly #put: PutSettings;
  /** True if the bucket keeps versions, but still refuses to overwrite. */
  #isProven = false;

  constructor(requests: Requests, bucket: Bucket, put: PutSettings) {
    this.#requests = requests;
    this.#bucket = bucket;
    this.#put = put;
  }

  async read(key: string): Promise<string | undefined> {
    const operation = { act: "read", key, needs: ["s3:GetObject", "s3:ListBucket"] };
    return (await this.#requests.run(operation, 0, (attempt) => this.#read(key, attempt)))?.text;
  }

  async write(key: string, text: string): Promise<void> {
    const body = Buffer.from(text);
    const operation = { act: "write", key, needs: this.#needs };
    await this.#requests.run(operation, body.length, async ({ sdk, client, signal }) => {
      checkObject(await client.send(new sdk.PutObjectCommand(this.#input(key, body)), { abortSignal: signal }));
    });
  }

  /**
   * Creates an object; false if it exists. An attempt without an answer may have taken effect: then an existing object
   * is ours if it has the same content and our writer ID.
   */
  async create(key: string, text: string): Promise<boolean> {
    const body = Buffer.from(text);
    const writer = randomUUID();
    const operation = { act: "create", key, needs: [...this.#needs, "s3:GetObject"] };
    let isUnknown = false;
    return this.#requests.run(operation, body.length, async (attempt) => {
      const found = isUnknown ? await this.#read(key, attempt) : undefined;
      if (found) return isSame(found, { text, writer });
      const { sdk, client, signal } = attempt;
      const input = { ...this.#input(key, body), IfNoneMatch: "*", Metadata: { [WRITER]: writer } };
      try {
        const answer = await client.send(new sdk.PutObjectCommand(input), { abortSignal: signal });
        checkObject(answer);
        if (answer.VersionId !== undefined && !this.#isProven) await this.#prove(input, attempt);
        return true;
      } catch (error) {
        if (refusedChecksum(error) !== undefined) throw storeFailed(operation, this.#bucket, error);
        if (isNotImplemented(error)) throw notAtomic(this.#bucket, error);
        isUnknown = true;
        if (!isPreconditionFailed(error)) throw error;
        // It may be ours: an earlier attempt, the user's client or the network may have sent the request twice.
        const there = await this.#read(key, attempt);
        if (there) return isSame(there, { text, writer });
        throw unsettled(key, this.#bucket, error);
      }
    });
  }

  /**
   * Creates a new object again, once per store, to prove that the condition still works. Some services ignore it when
   * versioning is switched on, which may happen after the engine's first check.
   *
   * @throws EngineError `STORE_NOT_ATOMIC` if that overwrites it
   */
  async #prove(input: PutObjectCommandInput, { sdk, client, signal }: Attempt): Promise<void> {
    try {
      await client.send(new sdk.PutObjectCommand(input), { abortSignal: signal });
    } catch (error) {
      if (!isPreconditionFailed(error)) throw error;
      this.#isProven = true;
      return;
    }
    throw notAtomicAnyMore(this.#bucket);
  }

  /**
   * True if one of the keys exists. One list of their common prefix usually answers this. A list distinguishes a
   * missing object from a missing bucket.
   */
  async hasAny(keys: readonly string[]): Promise<boolean> {
    const [first, ...others] = keys;
    if (first === undefined) return false;
    const { keys: there, next } = await this.page(others.reduce(commonStart, first));
    if (there.some((key) => keys.includes(key))) return true;
    return next !== undefined && (await eachBounded(keys, (key) => this.#has(key))).includes(true);
  }

  /** Deletes objects in batches. A missing object counts as deleted. */
  async removeMany(keys: readonly string[]): Promise<void> {
    for (let from = 0; from < keys.length; from += MOST_DELETED) {
      const batch = keys.slice(from, from + MOST_DELETED);
      const [first = "", ...others] = batch;
      await (others.length === 0 ? this.#remove(first) : this.#removeBatch(batch));
    }
  }

  /** Lists keys in the order of their bytes, from the page of `token`; without one, the first page. */
  async page(prefix: string, token?: string, most?: number): Promise<Page> {
    const operation = { act: "list", key: prefix, needs: ["s3:ListBucket"] };
    return this.#requests.run(operation, 0, async ({ sdk, client, signal }) => {
      const input = { Bucket: this.#bucket.name, Prefix: prefix, ContinuationToken: token, MaxKeys: most };
      const answer = await client.send(new sdk.ListObjectsV2Command(input), { abortSignal: signal });
      checkList(answer);
      const keys = (answer.Contents ?? []).flatMap(({ Key: key }) => key ?? []);
      return { keys, next: answer.IsTruncated ? answer.NextContinuationToken : undefined };
    });
  }

  async #has(key: string): Promise<boolean> {
    const { keys } = await this.page(key, undefined, 1);
    return keys[0] === key;
  }

  async #remove(key: string): Promise<void> {
    const operation = { act: "delete", key, needs: ["s3:DeleteObject"] };
    await this.#requests.run(operation, 0, async ({ sdk, client, signal }) => {
      await client.send(new sdk.DeleteObjectCommand({ Bucket: this.#bucket.name, Key: key }), { abortSignal: signal });
    });
  }

  async #removeBatch(keys: readonly string[]): Promise<void> {
    const operation = { act: "delete", key: named(keys), needs: ["s3:DeleteObject"] };
    const input = { Bucket: this.#bucket.name, Delete: { Objects: keys.map((key) => ({ Key: key })), Quiet: true } };
    await this.#requests.run(operation, 0, async ({ sdk, client, signal }) => {
      throwRefusal(await client.send(withMd5(new sdk.DeleteObjectsCommand(input)), { abortSignal: signal }));
    });
  }

  async #read(key: string, { sdk, client, signal, progress }: Attempt): Promise<Found | undefined> {
    try {
      const command = new sdk.GetObjectCommand({ Bucket: this.#bucket.name, Key: key });
      const answer = await client.send(command, { abortSignal: signal });
      checkObject(answer);
      const text = await textOf(answer, progress);
      checkText(text, answer);
      return { text, writer: answer.Metadata?.[WRITER] };
    } catch (error) {
      if (isNoSuchKey(error)) return undefined;
      throw error;
    }
  }

  get #needs(): string[] {
    const { Tagging: tags, SSEKMSKeyId: key } = this.#put;
    return [
      "s3:PutObject",
      ...(tags ? ["s3:PutObjectTagging"] : []),
      ...(key ? ["kms:GenerateDataKey", "kms:Decrypt"] : []),
    ];
  }

  #input(key: string, body: Buffer): PutObjectCommandInput {
    return { ...this.#put, Bucket: this.#bucket.name, Key: key, Body: body, ContentType: JSON_TEXT };
  }
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}

function isSame(found: Found, { text, writer }: Found): boolean {
  return found.writer === writer && found.text === text;
}

/** Throws if some objects of a batch were refused, because the answer is "200 OK" even then. */
function throwRefusal({ Errors: refusals = [] }: DeleteObjectsCommandOutput): void {
  const [refusal] = refusals.filter(({ Code: code }) => code !== "NoSuchKey");
  if (!refusal) return;
  const { Code: code = "Unknown", Message: message = "", Key: key = "" } = refusal;
  const httpStatusCode = /^(InternalError|SlowDown|ServiceUnavailable)$/.test(code) ? 503 : 403;
  throw Object.assign(new Error(`${message} (${key})`), { name: code, $metadata: { httpStatusCode } });
}

function unsettled(key: string, { location }: Bucket, cause: unknown): EngineError {
  const message = `Could not create "${key}" in ${location}: another run may have created and deleted it in the meantime. Run again.`;
  return new EngineError("STORE_FAILED", message, { cause });
}

/** Formats keys for a message, without naming each of many. */
function named(keys: readonly string[]): string {
  const between = keys.length - 2;
  return between < 2 ? keys.join('", "') : `${keys[0]}", ${between} others and "${keys.at(-1)}`;
}

/**
 * Checks that an answer is from S3, because a sign-in page or a web console answers "OK", too. The answer for every
 * object has an ETag.
 */
function checkObject({ ETag: tag }: { readonly ETag?: string }): void {
  if (tag === undefined) throw notS3("an answer without an ETag");
}

/** ETag of an empty object, if the ETag is the digest of the content. */
const EMPTY_TAG = '"d41d8cd98f00b204e9800998ecf8427e"';

/**
 * Checks that a body is not missing. An empty one is valid if the ETag is that of an empty object, or the object is
 * encrypted.
 */
function checkText(text: string, { ETag: tag, ...answer }: GetObjectCommandOutput): void {
  const isEncrypted = answer.SSEKMSKeyId !== undefined || answer.SSECustomerAlgorithm !== undefined;
  if (text === "" && tag !== EMPTY_TAG && !isEncrypted) throw notS3("an answer without the object's contents");
}

/** Checks that an answer is a list; even an empty list has one of these members. */
function checkList({ Name, KeyCount, MaxKeys, ...answer }: ListObjectsV2CommandOutput): void {
  const { IsTruncated: isTruncated, NextContinuationToken: next } = answer;
  if ([Name, KeyCount, MaxKeys, isTruncated].every((member) => member === undefined)) {
    throw notS3("an answer that is not a list");
  }
  if (isTruncated && !next) throw notS3("a truncated list without a continuation token");
}

function notS3(what: string): Error {
  const error = new Error(what);
  error.name = NOT_S3;
  return error;
}
