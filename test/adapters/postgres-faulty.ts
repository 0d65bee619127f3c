/** The PostgreSQL of a test, behind a network that treats its statements as the test says. */
import { type PostgresStore, postgresStoreAt } from "../../adapters/postgres/index.js";
import { startProxy } from "../faults/proxy/proxy.js";
import type { ProxyRequest } from "../faults/proxy/request.js";
import { tableOf } from "../helpers/stores/remote-stores.js";
import { type FaultyStore, faultyStore } from "./faulty-store.js";

export const isWrite = ({ kind }: ProxyRequest): boolean => kind === "WITH";
export const isRead = ({ kind }: ProxyRequest): boolean => kind === "SELECT";

/** Called in a block of tests. */
export function faultyPostgres(url: string): FaultyStore<PostgresStore> {
  return faultyStore({
    start: () => startProxy({ target: url, protocol: "postgres" }),
    open: (proxy, prefix, requestTimeout) =>
      postgresStoreAt({
        connectionString: proxy.url,
        table: tableOf(prefix),
        requestTimeout,
        retryTimeout: 90_000,
      }),
    openDirect: (prefix) => postgresStoreAt({ connectionString: url, table: tableOf(prefix) }),
  });
}
