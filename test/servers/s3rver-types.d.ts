/** The package has no types; these cover the parts that the tests use. */
declare module "s3rver" {
  interface Options {
    readonly directory: string;
    readonly port: number;
    readonly address: string;
    readonly silent: boolean;
    readonly resetOnClose: boolean;
  }

  class S3rver {
    constructor(options: Options);
    run(): Promise<unknown>;
  }

  export = S3rver;
}
