import { type KeyvStorageAdapter, type PlainStore, withKeyvMethods } from "../kit/keyv-adapter.js";
import { checkRole, type ServerAccount } from "./checks.js";
import { isCluster } from "./client.js";
import { connectGiven, connectOwn, loadDriver } from "./connect.js";
import { keyNames } from "./keys.js";
import { Link } from "./link.js";
import type { RedisSettings } from "./options.js";
import { RedisReads } from "./reads.js";
import { RedisRequests } from "./requests.js";
import { RedisWrites } from "./writes.js";

/** A store in Redis. */
export interface RedisStore extends KeyvStorageAdapter {
  readonly location: string;
  /** Ends the store's own connection at once; a client that was given stays open. */
  close(): Promise<void>;
}

/** Milliseconds behind the last try in which the network may still hold a copy of it. */
const ON_ITS_WAY = 120_000;

/** @param check throws where the server is not fit for what the store is for */
export function openRedis(settings: RedisSettings, check: (account: ServerAccount) => void): RedisStore {
  const { target, location, requestTimeout, retryTimeout } = settings;
  const names = keyNames(settings.prefix);
  const spansServers = target.kind === "cluster" || (target.kind === "client" && isCluster(target.client));
  const link = new Link({
    prepare: async () => target.kind === "client" || loadDriver(),
    connect: (signal) =>
      target.kind === "client" ? connectGiven(target.client) : connectOwn(target, requestTimeout, signal),
    check(account) {
      // A replica of a cluster sends everything to its primary.
      if (!spansServers) checkRole(account);
      check(account);
    },
    anyKey: names.stages,
  });
  const requests = new RedisRequests(link, settings);
  const reads = new RedisReads(requests, names, spansServers);
  const writes = new RedisWrites(requests, names, 2 * retryTimeout + ON_ITS_WAY);

  const store: PlainStore<RedisStore> = {
    name: "redis",
    location,
    local: false,
    get: (key) => reads.get(key),
    getMany: (keys) => reads.getMany(keys),
    set: (key, value) => writes.set({ key, value }),
    deleteMany: (keys) => writes.remove(keys),
    create: (key, value) => writes.create({ key, value }),
    list: (prefix) => reads.list(prefix),
    close: async () => link.close(),
  };
  return withKeyvMethods(store);
}
