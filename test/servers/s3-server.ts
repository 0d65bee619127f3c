/** What every S3-compatible server of the tests has. */
export interface S3Server {
  /** Where it answers, with buckets in the path. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** As a crash does: SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again where it was, with the data that it has kept. */
  restart(): Promise<void>;
  /** Ends it and removes all that it kept. */
  stop(): Promise<void>;
}
