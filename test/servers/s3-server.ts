/** The interface of every S3-compatible server of the tests. */
export interface S3Server {
  /** Its address, with buckets in the path. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** As a crash does: SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again at the same address, with its data. */
  restart(): Promise<void>;
  /** Ends it and removes all its data. */
  stop(): Promise<void>;
}
