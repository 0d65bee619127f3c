/** A store of a test, behind a network that treats its requests as the test says. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { StateStore } from "../../core/contract/index.js";
import { listed } from "../../plugins/testing/store/case.js";
import type { Fault } from "../faults/proxy/fault.js";
import { script, seededFaults } from "../faults/proxy/plans.js";
import type { FaultyProxy } from "../faults/proxy/proxy.js";
import type { ProxyRequest } from "../faults/proxy/request.js";
import { emptyStore } from "../helpers/stores/store-contents.js";

interface ClosableStore extends StateStore {
  close(): Promise<void>;
}

interface Settings<S> {
  start(): Promise<FaultyProxy>;
  /** A store through the network. @param requestTimeout in milliseconds */
  open(proxy: FaultyProxy, prefix: string, requestTimeout: number, warn: (code: string) => void): S;
  /** The same without the network between. */
  openDirect(prefix: string): S;
}

export interface FaultyStore<S> {
  readonly proxy: FaultyProxy;
  readonly prefix: string;
  /** Through the network. */
  readonly store: S;
  readonly direct: S;
  /** Codes of the warnings of all stores through the network. */
  readonly warned: readonly string[];
  /** One more store through the network. */
  through(requestTimeout?: number): S;
}

/** Faults that a request can meet in any network. */
export const faults = [
  { kind: "reset-before" },
  { kind: "reset-after" },
  { kind: "truncated" },
  { kind: "timeout" },
  { kind: "timeout", forwarded: true },
  { kind: "slow-down" },
  { kind: "slow-down", forwarded: true },
  { kind: "conflict", forwarded: true },
  { kind: "delayed", side: "request", by: 400 },
  { kind: "delayed", side: "reply", by: 400 },
  { kind: "duplicated" },
  { kind: "late-duplicate", after: 20 },
] as const satisfies readonly Fault[];

let prefixes = 0;

/** Called in a block of tests: each test has a prefix of its own, in which "app/dev/there" is "old". */
export function faultyStore<S extends ClosableStore>({ start, open, openDirect }: Settings<S>): FaultyStore<S> {
  let now: Omit<FaultyStore<S>, "through"> & { readonly warned: string[] };
  let proxy: FaultyProxy;
  const through = (requestTimeout = 200): S =>
    open(now.proxy, now.prefix, requestTimeout, (code) => now.warned.push(code));

  beforeAll(async () => {
    proxy = await start();
  });
  afterAll(() => proxy?.close());
  beforeEach(async () => {
    proxy.plan = undefined;
    proxy.recount();
    const prefix = `faults/${process.pid}/${++prefixes}/`;
    const warned: string[] = [];
    const store = open(proxy, prefix, 200, (code) => warned.push(code));
    now = { proxy, prefix, store, direct: openDirect(prefix), warned };
    await now.direct.set("app/dev/there", "old");
  });
  afterEach(async () => {
    const { store, direct } = now;
    proxy.plan = undefined;
    await store.close();
    await proxy.settled();
    await emptyStore(direct);
    await direct.close();
  });

  return {
    through,
    get proxy() {
      return now.proxy;
    },
    get prefix() {
      return now.prefix;
    },
    get store() {
      return now.store;
    },
    get direct() {
      return now.direct;
    },
    get warned() {
      return now.warned;
    },
  };
}

interface Truth {
  readonly faults: readonly Fault[];
  readonly isRead: (request: ProxyRequest) => boolean;
  /** True for the requests of a `create`. */
  readonly isWrite: (request: ProxyRequest) => boolean;
  /** Of an attempt in a race, in milliseconds. */
  readonly limit?: number;
}

/** Tests that each store passes alike: reads, a `create` of a key that exists, and races. */
export function answersTruly<S extends ClosableStore>(
  network: FaultyStore<S>,
  { faults, isRead, isWrite, limit }: Truth,
): void {
  it.each(faults)("knows that another was there before, be it with the same value: %j", async (fault) => {
    await network.direct.create("app/dev/created", "value");
    for (const key of ["app/dev/there", "app/dev/created"]) {
      network.proxy.plan = script([fault], isWrite);
      expect(await network.store.create(key, key === "app/dev/there" ? "old" : "value")).toBe(false);
    }
  });

  it.each(faults)("reads existing values, and nothing else: %j", async (fault) => {
    const asks = [
      async () => expect(await network.store.get("app/dev/there")).toBe("old"),
      async () => expect(await network.store.get("app/dev/absent")).toBeUndefined(),
      async () => expect(await network.store.getMany(["app/dev/there", "a"])).toEqual(["old", undefined]),
      async () => expect(await listed(network.store, "app/dev/")).toEqual(["app/dev/there"]),
    ];
    for (const ask of asks) {
      network.proxy.plan = script([fault], isRead);
      await ask();
    }
  });

  it.each([2, 3])("has one creator of each key, whatever happens to a third of all requests (seed %i)", (seed) =>
    raceForKeys(network, faults, seed, limit),
  );
}

/**
 * Three clients compete to create each of twelve keys, and each third request meets a fault: exactly one client wins.
 *
 * @param limit of an attempt, in milliseconds: less than the delay of the faults
 */
export async function raceForKeys<S extends ClosableStore>(
  { proxy, direct, through }: FaultyStore<S>,
  met: readonly Fault[],
  seed: number,
  limit = 60,
): Promise<void> {
  proxy.plan = seededFaults(seed, 0.33, met);
  const clients = [through(limit), through(limit), through(limit)];
  const keys = Array.from({ length: 12 }, (_, index) => `app/dev/${String(index).padStart(2, "0")}`);
  try {
    for (const key of keys) {
      const answers = await Promise.all(clients.map((client, index) => client.create(key, `by ${index}`)));
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect(await direct.get(key)).toBe(`by ${answers.indexOf(true)}`);
    }
  } finally {
    for (const client of clients) await client.close();
  }
  proxy.plan = undefined;
  await proxy.settled();
  expect(await listed(direct, "app/dev/")).toEqual([...keys, "app/dev/there"]);
}
