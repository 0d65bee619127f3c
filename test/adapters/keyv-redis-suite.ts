/** The contract of stores, checked against Keyv's own adapter for Redis, on a real server. */
import KeyvRedis from "@keyv/redis";
import { Keyv } from "keyv";
import { afterAll, describe, it } from "vitest";
import { keyvStoreAt } from "../../adapters/keyv/index.js";
import { type StoreSuiteOptions, testStateStore } from "../../plugins/testing/index.js";
import { describeWithRedis } from "../servers/given-redis.js";

let namespaces = 0;
export const newNamespace = () => `test-keyv-${process.pid}-${++namespaces}`;

/** @param suite sizes */
export function keyvRedisSuite(suite: StoreSuiteOptions): void {
  describeWithRedis("keyvStoreAt KeyvRedis", (url) => {
    const adapter = new KeyvRedis(url, { throwOnErrors: true });
    afterAll(() => adapter.disconnect());

    const opened = async () => {
      const namespace = newNamespace();
      const client = () => keyvStoreAt(adapter, { namespace });
      return {
        store: client(),
        reopen: async () => client(),
        close: () => new Keyv({ store: adapter, namespace }).clear(),
      };
    };
    /** The client tries to connect for ever unless this is off. */
    const socket = { host: "127.0.0.1", port: 1, reconnectStrategy: false } as const;
    const nobody = () => keyvStoreAt(new KeyvRedis({ socket }, { throwOnErrors: true, throwOnConnectError: true }));
    testStateStore({ describe, it }, opened, { ...suite, broken: { "nobody answers": nobody } });
  });
}
