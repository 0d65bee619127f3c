/** The bucket of a test, behind a network that does to its requests what the test says. */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { type S3Store, s3Store } from "../../adapters/s3.js";
import type { Fault } from "../faults/proxy/fault.js";
import { type FaultyProxy, startProxy } from "../faults/proxy/proxy.js";
import type { ProxyRequest } from "../faults/proxy/request.js";
import { makeTestBucket, s3TestOptions, s3TestStore } from "../helpers/s3-store.js";
import type { S3Settings } from "../servers/variables.js";

export const faults = [
  { kind: "reset-before" },
  { kind: "reset-after" },
  { kind: "truncated" },
  { kind: "timeout" },
  { kind: "timeout", forwarded: true },
  { kind: "error" },
  { kind: "error", forwarded: true },
  { kind: "slow-down" },
  { kind: "slow-down", forwarded: true },
  { kind: "conflict" },
  { kind: "conflict", forwarded: true },
  { kind: "delayed", side: "request", by: 400 },
  { kind: "delayed", side: "reply", by: 400 },
  { kind: "duplicated" },
  { kind: "late-duplicate", after: 20 },
] as const satisfies readonly Fault[];

export const isPut = ({ kind }: ProxyRequest): boolean => kind === "PUT";
export const isRead = ({ kind }: ProxyRequest): boolean => kind === "GET";
export const isPost = ({ kind }: ProxyRequest): boolean => kind === "POST";

let prefixes = 0;

export interface FaultyBucket {
  readonly proxy: FaultyProxy;
  readonly prefix: string;
  /** Through the network. */
  readonly store: S3Store;
  readonly direct: S3Store;
  /** Codes of the warnings of all stores through the network. */
  readonly warned: readonly string[];
  /** One more store through the network. */
  through(requestTimeout?: number): S3Store;
}

/** To be called in a block of tests: each has a prefix of its own, in which "app/dev/there" is "old". */
export function faultyBucket(settings: S3Settings): FaultyBucket {
  let proxy: FaultyProxy;
  let prefix: string;
  let store: S3Store;
  let direct: S3Store;
  let warned: string[];

  const through = (requestTimeout = 200): S3Store =>
    s3Store({ ...s3TestOptions(proxy.url), prefix, requestTimeout, retryTimeout: 20_000 })({
      appName: "app",
      stage: "dev",
      rootDir: "/",
      profile: undefined,
      warn: (code) => warned.push(code),
    });

  beforeAll(async () => {
    await makeTestBucket();
    proxy = await startProxy({ target: settings.endpoint, protocol: "http" });
  });
  afterAll(() => proxy?.close());
  beforeEach(async () => {
    warned = [];
    proxy.plan = undefined;
    proxy.recount();
    prefix = `faults/${process.pid}/${++prefixes}`;
    [store, direct] = [through(), s3TestStore(prefix)];
    await direct.set("app/dev/there", "old");
  });
  afterEach(async () => {
    proxy.plan = undefined;
    await store.close();
    await proxy.settled();
    await direct.clear();
    await direct.close();
  });

  return {
    through,
    get proxy() {
      return proxy;
    },
    get prefix() {
      return prefix;
    },
    get store() {
      return store;
    },
    get direct() {
      return direct;
    },
    get warned() {
      return warned;
    },
  };
}
