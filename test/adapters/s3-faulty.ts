/** The bucket of a test, behind a network that treats its requests as the test says. */
import { type S3Store, s3Store } from "../../adapters/s3/index.js";
import type { Fault } from "../faults/proxy/fault.js";
import { startProxy } from "../faults/proxy/proxy.js";
import type { ProxyRequest } from "../faults/proxy/request.js";
import { makeTestBucket, s3TestOptions, s3TestStore } from "../helpers/stores/s3-store.js";
import type { S3Settings } from "../servers/variables.js";
import { faults as anyFaults, type FaultyStore, faultyStore } from "./faulty-store.js";

/** The faults of every network, and the error responses of HTTP. */
export const faults = [
  ...anyFaults,
  { kind: "error" },
  { kind: "error", forwarded: true },
  { kind: "conflict" },
] as const satisfies readonly Fault[];

export const isPut = ({ kind }: ProxyRequest): boolean => kind === "PUT";
export const isRead = ({ kind }: ProxyRequest): boolean => kind === "GET";
export const isPost = ({ kind }: ProxyRequest): boolean => kind === "POST";

/** Milliseconds in which an attempt of up to three requests gets its answers; less than the delay of a held request. */
export const ATTEMPT = 300;

/** Called in a block of tests. */
export function faultyBucket(settings: S3Settings): FaultyStore<S3Store> {
  return faultyStore({
    start: async () => {
      await makeTestBucket();
      return startProxy({ target: settings.endpoint, protocol: "http" });
    },
    open: (proxy, prefix, requestTimeout, warn) =>
      s3Store({ ...s3TestOptions(proxy.url), prefix, requestTimeout, retryTimeout: 90_000 })({
        appName: "app",
        stage: "dev",
        rootDir: "/",
        profile: undefined,
        warn,
      }),
    openDirect: (prefix) => s3TestStore(prefix),
  });
}
