/** The store over the objects of a bucket. */
import { eachBounded } from "../kit/bounded.js";
import { type KeyvStorageAdapter, type PlainStore, withKeyvMethods } from "../kit/keyv-adapter.js";
import { Connector, regionOf } from "./client.js";
import type { Bucket } from "./failure.js";
import { keyOfObject, objectKey, objectPrefix } from "./key.js";
import { Objects, type PutSettings } from "./objects.js";
import type { S3StoreOptions } from "./options.js";
import { Requests } from "./request.js";

/** A store in a bucket. */
export interface S3Store extends KeyvStorageAdapter {
  readonly location: string;
  /** Ends the connections, but those of a client that was handed over; a later request opens them again. */
  close(): Promise<void>;
}

const REQUEST_TIMEOUT = 10_000;
const RETRY_TIMEOUT = 30_000;

/** @param warn hears what a run should know */
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

/** With a slash at its end and none at its beginning. */
function folder(prefix = ""): string {
  const name = prefix.replace(/^\/+|\/+$/g, "");
  return name === "" ? "" : `${name}/`;
}
