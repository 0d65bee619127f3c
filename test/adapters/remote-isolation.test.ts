/** Stages and apps that share a bucket or a server do not see each other. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngine } from "../../plugins/engine/index.js";
import { listed } from "../../plugins/testing/store/case.js";
import { newThings } from "../helpers/apps/things.ts";
import { type RemoteName, remoteStore } from "../helpers/stores/remote-stores.js";
import { makeTestBucket } from "../helpers/stores/s3-store.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { describeWithS3 } from "../servers/given-s3.js";

const engine = createEngine({ checkpoints: 1, histories: 1 });

function isolates(name: RemoteName): void {
  let rootDir: string;
  beforeAll(async () => {
    rootDir = await mkdtemp(join(tmpdir(), "remote-isolation-"));
  });
  afterAll(() => rm(rootDir, { recursive: true }));

  it("leaves every key and value of the others alone, whatever a stage goes through", async () => {
    const prefix = `isolation/${randomUUID()}`;
    const stateStore = () => remoteStore(name, prefix);
    const { Thing } = newThings();
    const run = async (app: string, stage: string, text: string, phase: "up" | "destroy" = "up") => {
      const root = await engine(app, { stage, phase, rootDir, stateStore, argv: [], env: {} });
      if (phase === "up") await root.run(() => Promise.all([Thing("a", { text }), Thing(text, { text })]));
      await root.finalize();
    };
    const others = async (): Promise<Record<string, string | undefined>> => {
      const store = stateStore();
      const keys = (await listed(store, "")).filter((key) => !key.startsWith("shop/dev/"));
      const values = await store.getMany(keys);
      await store.close?.();
      return Object.fromEntries(keys.map((key, index) => [key, values[index]]));
    };
    for (const [app, stage] of [
      ["shop", "prod"],
      ["shop", "dev2"],
      ["shop2", "dev"],
      ["sho", "p"],
    ] as const) {
      await run(app, stage, "one");
    }
    const before = await others();
    expect(Object.keys(before).length).toBeGreaterThan(8);
    for (const text of ["one", "two", "three"]) await run("shop", "dev", text);
    await run("shop", "dev", "", "destroy");
    await run("shop", "dev", "one");
    expect(await others()).toEqual(before);
  });
}

describe("stages in one place", () => {
  describeWithS3("in S3", () => {
    beforeAll(() => makeTestBucket());
    isolates("s3");
  });
  describeWithRedis("in Redis", () => isolates("redis"));
});
