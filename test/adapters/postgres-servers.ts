/** Servers of PostgreSQL that end with a test, and stores on them. */
import pg from "pg";
import { afterEach, expect } from "vitest";
import { type PostgresStore, type PostgresStoreOptions, postgresStoreAt } from "../../adapters/postgres/index.js";
import {
  PASSWORD,
  type PostgresOptions,
  type PostgresServer,
  startPgbouncer,
  startPostgres,
} from "../servers/postgres.js";

export interface ServersOfEachTest {
  /** Called after the test, the last one first. */
  readonly ends: (() => unknown)[];
  started(options?: PostgresOptions): Promise<PostgresServer>;
  /** PgBouncer before the server. */
  pooled(server: PostgresServer): Promise<string>;
  opened(options: PostgresStoreOptions, warn?: (code: string, message: string) => void): PostgresStore;
  /** A pool that leads to one server after the other, as the name of a host does. */
  moving(url: string): { readonly pool: pg.Pool; moveTo(url: string): void };
}

export function serversOfEachTest(): ServersOfEachTest {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  return {
    ends,
    async started(options) {
      const server = await startPostgres(options);
      ends.push(() => server.stop());
      return server;
    },
    async pooled(server) {
      const { url, stop } = await startPgbouncer(server);
      ends.push(stop);
      return url;
    },
    opened(options, warn) {
      const store = postgresStoreAt(options, warn);
      ends.push(() => store.close());
      return store;
    },
    moving(url) {
      let target = new URL(url);
      class Client extends pg.Client {
        constructor() {
          super(target.href);
        }
      }
      const pool = new pg.Pool({ Client });
      pool.on("error", () => {});
      ends.push(() => pool.end());
      return {
        pool,
        moveTo: (next) => {
          target = new URL(next);
        },
      };
    },
  };
}

/** A failure of the store, whose message has these words, and which shows no password. */
export function failing(...words: readonly string[]) {
  return expect.objectContaining({
    code: "STORE_FAILED",
    message: expect.stringMatching(new RegExp(words.join(".*"), "s")),
    cause: expect.any(Error),
  });
}

/** All that an error says, and the errors that caused it. */
export function saidBy(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const members = JSON.stringify(
    Object.fromEntries(Object.getOwnPropertyNames(error).map((name) => [name, String(Reflect.get(error, name))])),
  );
  return `${error.message} ${error.stack} ${members} ${saidBy(error.cause)}`;
}

export { PASSWORD };
