/** A deployment that stands still while another one takes over, and then continues. */
import { readdir } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import type { StateStore } from "../../core/contract/index.js";
import { keys, loadFrom } from "../helpers/stores/journals.js";
import type { RemoteName } from "../helpers/stores/remote-stores.js";
import { makeTestBucket } from "../helpers/stores/s3-store.js";
import { snapshot } from "../helpers/stores/store-contents.js";
import { describeWithPostgres } from "../servers/given-postgres.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { describeWithS3 } from "../servers/given-s3.js";
import type { Ended, Worker } from "./contention-crew.js";
import { module, STORES } from "./contention-remote.js";
import { contentionStage } from "./contention-stage.js";

const patient = { timeout: 120_000 };
/** Longer than a request takes on a busy machine. */
const TTL = 800;

function pausing(name: RemoteName): void {
  const stage = contentionStage();
  const start = (machine: string): Promise<Worker> => stage.start({ module, name }, { machine, ttl: TTL });

  async function looking<T>(look: (store: StateStore) => Promise<T>): Promise<T> {
    const store = STORES[name](stage.place.location);
    try {
      return await look(store);
    } finally {
      await store.close?.();
    }
  }

  /** Contents of the stage, without the lease of a running session. */
  const contents = (atWork = ""): Promise<readonly [string, string][]> =>
    looking(async (store) => [...(await snapshot(store))].filter(([key]) => key !== keys.lease(atWork)).sort());

  const sessionAtWork = (): Promise<string | undefined> =>
    looking(async (store) => (await loadFrom(store)).head.open?.session);

  /** Two workers on two machines, the first one standing still in its first handler. */
  async function paused(): Promise<readonly [paused: Worker, heir: Worker]> {
    const [first, heir] = await Promise.all([start("a"), start("b")]);
    await first.hold();
    first.signal("SIGSTOP");
    return [first, heir];
  }

  /** Lets it continue, and its handler end. */
  async function woken(worker: Worker): Promise<Ended> {
    worker.order("release");
    worker.signal("SIGCONT");
    return worker.ended;
  }

  const recoveries = async (): Promise<number> =>
    (await readdir(stage.place.cwd)).filter((file) => file.startsWith("engine-recovery.")).length;

  const fenced = { signal: null, code: 1, stderr: expect.stringContaining("[FENCED]") };

  it("writes nothing when the other one has got through", patient, async () => {
    const [first, heir] = await paused();
    expect(await heir.run(1)).toBe(true);
    const before = await contents();
    expect(await woken(first)).toMatchObject(fenced);
    expect(await contents()).toEqual(before);
    expect(await recoveries()).toBe(1);
  });

  it("writes nothing while the other one is at work, and that one gets through", patient, async () => {
    const [first, heir] = await paused();
    await heir.hold();
    const session = await sessionAtWork();
    const before = await contents(session);
    expect(await woken(first)).toMatchObject(fenced);
    expect(await contents(session)).toEqual(before);
    expect(await recoveries()).toBe(1);
    const done = heir.reported(({ type }) => type === "done");
    heir.order("release");
    expect(await done).toBe(true);
    expect((await contents()).filter(([key]) => key.includes("/lease/"))).toEqual([]);
  });
}

describe("a deployment that was paused until another one took over", () => {
  describeWithS3("on S3", () => {
    beforeAll(() => makeTestBucket());
    pausing("s3");
  });
  describeWithRedis("on Redis", () => pausing("redis"));
  describeWithPostgres("on PostgreSQL", () => pausing("postgres"));
});
