/** What simulated stores are like: how fast they answer, what they can do, and what may go wrong in them. */

export interface StoreTraits {
  readonly name: string;
  /** Milliseconds that each way takes, from the least to the most. */
  readonly latency: readonly [least: number, most: number];
  /** Values can grow in place. */
  readonly grows: boolean;
  /** True: the process does the work itself, so that it dies with it, and may leave half of it. */
  readonly isLocal: boolean;
  /** Keys of one page of a list. */
  readonly page: number;
}

/** As files on the machine's own disk. */
export const filesTraits: StoreTraits = {
  name: "files",
  latency: [0.01, 0.3],
  grows: true,
  isLocal: true,
  page: 10_000,
};

/** As a Redis server nearby. */
export const redisTraits: StoreTraits = { name: "redis", latency: [0.1, 2], grows: true, isLocal: false, page: 10_000 };

/** As a bucket of S3. */
export const bucketTraits: StoreTraits = { name: "bucket", latency: [5, 60], grows: false, isLocal: false, page: 50 };

/** How often requests go wrong, each as a probability. */
export interface StoreFaults {
  /** The request is lost: it fails, and has done nothing. */
  readonly lostRequest: number;
  /** The answer is lost: it fails, and has been done. */
  readonly lostReply: number;
  /** The request is done twice, the second time later; the answer is that of the second time. */
  readonly repeated: number;
}

export const NO_FAULTS: StoreFaults = { lostRequest: 0, lostReply: 0, repeated: 0 };
