/** Implements the store with the objects of a bucket. */

import { EngineError } from "../../core/base/index.js";
import { eachBounded } from "../kit/bounded.js";
import { escapeUnit, unescaped } from "../kit/escape.js";
import { type KeyvStorageAdapter, type PlainStore, withKeyvMethods } from "../kit/keyv-adapter.js";
import { Connector, regionOf } from "./client.js";
import type { Bucket } from "./error.js";
import { Objects, type PutSettings } from "./objects.js";
import type { S3StoreOptions } from "./options.js";
import { Requests } from "./request.js";

/** A store in a bucket. */
export interface S3Store extends KeyvStorageAdapter {
  readonly location: string;
  /** Closes the connections, except those of a given client; a later request opens them again. */
  close(): Promise<void>;
}

const REQUEST_TIMEOUT = 10_000;

const RETRY_TIMEOUT = 30_000;

/** @param warn emits a warning of the run */
export function openBucket(options: S3StoreOptions, warn?: (code: string, message: string) => void): S3Store {
  const prefix = folder(options.prefix);
  const url = `s3://${options.bucket}${prefix === "" ? "" : `/${prefix.slice(0, -1)}`}`;
  const location = options.endpoint === undefined ? url : `${url} at ${new URL(options.endpoint).origin}`;
  const bucket: Bucket = { name: options.bucket, location, region: regionOf(options) };
  const connector = new Connector(options);
  const { requestTimeout = REQUEST_TIMEOUT, retryTimeout = RETRY_TIMEOUT } = options;
  const requests = new Requests({ bucket, connector, requestTimeout, retryTimeout, warn });
  const objects = new Objects(requests, bucket, putSettings(options));
  const objectOf = (key: string): string => objectKey(prefix, key);

  async function* pages(start: string): AsyncGenerator<string[], void> {
    for (let token: string | undefined, isMore = true; isMore; isMore = token !== undefined) {
      const { keys, next } = await objects.page(objectPrefix(prefix, start), token);
      token = next;
      yield keys.flatMap((object) => keyOfObject(prefix, object) ?? []);
    }
  }

  const store: PlainStore<S3Store> = {
    name: "s3",
    location,
    get: (key) => objects.read(objectOf(key)),
    getMany: (keys) => eachBounded(keys, store.get),
    set: (key, value) => objects.write(objectOf(key), value),
    async deleteMany(keys) {
      const names = [...new Set(keys)].map(objectOf);
      const wasThere = await objects.hasAny(names);
      if (wasThere) await objects.removeMany(names);
      return wasThere;
    },
    create: (key, value) => objects.create(objectOf(key), value),
    async *list(start) {
      for await (const keys of pages(start)) yield* keys;
    },
    close: () => connector.close(),
  };
  return withKeyvMethods(store);
}

function putSettings(options: S3StoreOptions): PutSettings {
  const { serverSideEncryption, kmsKeyId, storageClass, tags } = options;
  return {
    ServerSideEncryption: serverSideEncryption,
    SSEKMSKeyId: kmsKeyId,
    StorageClass: storageClass,
    Tagging: tags && new URLSearchParams(tags).toString(),
  };
}

/** Returns the prefix with a slash at its end and none at its beginning. */
function folder(prefix = ""): string {
  const name = prefix.replace(/^\/+|\/+$/g, "");
  return name === "" ? "" : `${name}/`;
}

// Encoding of keys as keys of a bucket, below the prefix. Keys of the engine are not changed. In any other key,
// characters with a special meaning in XML, URLs or tools are escaped as `=3A`. The escape of a character depends only
// on the character before it, so a prefix of a key is encoded as a prefix.

const EMPTY = "=empty";

/** Bytes, which are ASCII characters here. */
const LONGEST = 1024;

/** A dot or slash at the beginning of a segment, and special characters. */
const UNSAFE = /(?<=^|\/)[/.]|[^A-Za-z0-9._%/-]/g;

/** @param prefix "" or ends in a slash */
export function objectKey(prefix: string, key: string): string {
  const object = prefix + (key === "" ? EMPTY : escaped(key));
  if (object.length <= LONGEST) return object;
  throw new EngineError(
    "STORE_FAILED",
    `The key "${key}" is too long for S3, which allows ${LONGEST} bytes. Choose shorter names, or a shorter prefix.`,
  );
}

/** Returns the common prefix of the objects whose engine keys begin with `start`. */
export function objectPrefix(prefix: string, start: string): string {
  return prefix + escaped(start);
}

/** Returns the engine key of an object; undefined if the object is not ours. */
export function keyOfObject(prefix: string, object: string): string | undefined {
  if (!object.startsWith(prefix)) return undefined;
  const name = object.slice(prefix.length);
  if (name === EMPTY) return "";
  const key = unescaped(name);
  // A foreign object may have a name that no key is encoded to.
  return key !== "" && escaped(key) === name ? key : undefined;
}

function escaped(key: string): string {
  return key.replace(UNSAFE, escapeUnit);
}
