/** The keys of a stage that a fleet has changed many times, in this process or through a queue. */
import { randomUUID } from "node:crypto";
import { createClient } from "@keyv/redis";
import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { Resource } from "../../../../core/resource/index.js";
import { type FleetEngineOptions, fleet } from "../../../../plugins/fleet/index.js";
import { prepareQueue } from "../../../../plugins/fleet/queue/prepare.js";
import { describeWithPostgres } from "../../../servers/given-postgres.js";
import { describeWithRedis } from "../../../servers/given-redis.js";
import { startPostgres } from "../../../servers/postgres.js";
import { startRedis } from "../../../servers/redis.js";

const RUNS = 30;
const STAGES = ["ada", "bob", "eve"];
/** Keys of one stage that are kept. */
const MOST = 15;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const Item = Resource("kept-test:Item", {
  create: ({ props }: { props: { value: number } }) => ({ value: props.value }),
  update: ({ props }) => ({ value: props.value }),
  delete: () => {},
});

/** Changes all stages many times. Returns the name of the fleet. */
async function changed(stateStore: FleetEngineOptions["stateStore"], queue: string | undefined): Promise<string> {
  let value = 0;
  const name = `kept-${randomUUID()}`;
  const made = fleet<{ value: number }>(name, {
    stages: () => STAGES.map((stage) => ({ stage, input: { value } })),
    program: async (_, input) => {
      for (const id of ["a", "b", "c", "d", "e"]) await Item(id, input);
    },
    options: { stateStore, env: {} },
  });
  const stop = new AbortController();
  const worker = queue === undefined ? undefined : await made.work({ queue, signal: stop.signal });
  try {
    for (value = 1; value <= RUNS; value++)
      expect(await made.up(queue === undefined ? {} : { queue })).toMatchObject({
        state: "done",
        stages: { changed: STAGES.length },
      });
  } finally {
    stop.abort();
    await worker?.done;
  }
  return name;
}

/** Counts the keys of each stage. */
function counts(fleetName: string, keys: readonly string[]): readonly number[] {
  return STAGES.map((stage) => keys.filter((key) => key.includes(`${fleetName}/${stage}`)).length);
}

function expectFew(found: readonly number[]): void {
  expect(found.filter((count) => count === 0 || count > MOST)).toEqual([]);
}

describe.each([true, false])(`after ${RUNS} changed runs (through a queue: %s)`, (isOnQueue) => {
  describeWithRedis("on Redis", () => {
    test(`a stage keeps at most ${MOST} keys`, async () => {
      const { url, stop } = await startRedis();
      ends.push(stop);
      const name = await changed(url, isOnQueue ? url : undefined);
      const client = createClient({ url });
      await client.connect();
      ends.push(async () => client.destroy());
      const all = [await client.sendCommand(["KEYS", "*"])].flat().map(String);
      const lives = await Promise.all(all.map((key) => client.sendCommand(["TTL", key])));
      const durable = all.filter((_, index) => Number(lives[index]) === -1);
      expectFew(counts(name, durable));
      // The record of the fleet and the queue keep few keys, too.
      expect(durable.length).toBeLessThanOrEqual((STAGES.length + 3) * MOST);
    });
  });

  describeWithPostgres("in PostgreSQL", () => {
    test(`a stage keeps at most ${MOST} rows`, async () => {
      const server = await startPostgres();
      ends.push(() => server.stop());
      if (isOnQueue) await prepareQueue(server.url);
      const name = await changed(server.url, isOnQueue ? server.url : undefined);
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      ends.push(() => client.end());
      const { rows } = await client.query<{ key: string }>("SELECT key FROM scope_engine_state");
      expectFew(
        counts(
          name,
          rows.map(({ key }) => key),
        ),
      );
      expect(rows.length).toBeLessThanOrEqual((STAGES.length + 2) * MOST);
    });
  });
});
