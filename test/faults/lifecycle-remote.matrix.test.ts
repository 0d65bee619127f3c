/** Lives of stages whose state is on another machine. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { fc } from "../helpers/generated.ts";
import { type RemoteName, remoteStore } from "../helpers/remote-stores.ts";
import { makeTestBucket } from "../helpers/s3-store.ts";
import { isLong } from "../helpers/sampling.ts";
import { emptyStore } from "../helpers/store-contents.js";
import { describeWithRedis } from "../servers/given-redis.ts";
import { describeWithS3 } from "../servers/given-s3.ts";
import { lives } from "./lifecycle/commands.ts";
import { Life } from "./lifecycle/life.ts";

const numRuns = isLong ? 500 : 10;

function lived(name: RemoteName): void {
  test("loses nothing, makes nothing twice, and comes to what is declared", { timeout: numRuns * 10_000 }, async () => {
    const rootDir = await mkdtemp(join(tmpdir(), "scope-engine-life-"));
    const oneLife = fc.asyncProperty(lives, async (commands) => {
      const store = remoteStore(name, `lives/${randomUUID()}`);
      const life = new Life(rootDir, { store });
      for (const command of commands) await life.does(command);
      expect(await life.ends()).toEqual([]);
      await emptyStore(store);
      await store.close?.();
    });
    try {
      await fc.assert(oneLife, { numRuns });
    } finally {
      await rm(rootDir, { recursive: true });
    }
  });
}

describe("a stage on another machine, whatever happens to it", () => {
  describeWithS3("in S3", () => {
    beforeAll(() => makeTestBucket());
    lived("s3");
  });
  describeWithRedis("in Redis", () => lived("redis"));
});
