/** A state in files that is copied into a bucket, as the guide shows, continues there. */
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { fsStoreAt } from "../../adapters/fs/index.js";
import { s3Store } from "../../adapters/s3/index.js";
import type { StateStoreOption } from "../../core/contract/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { newThings } from "../helpers/apps/things.ts";
import { filesIn } from "../helpers/processes/files-in.js";
import { makeTestBucket, s3TestOptions } from "../helpers/stores/s3-store.js";
import { describeWithS3 } from "../servers/given-s3.js";
import { s3ClientOf } from "../servers/s3-client.js";
import type { S3Settings } from "../servers/variables.js";

const { Thing, there, calls } = newThings();
const engine = createEngine();

describeWithS3("a state that is moved from files to a bucket", (settings) => {
  beforeAll(() => makeTestBucket());
  let rootDir: string;
  let prefix: string;
  beforeEach(async () => {
    rootDir = await mkdtemp(join(tmpdir(), "moved-"));
    prefix = `moved/${randomUUID()}`;
    calls.length = 0;
    there.clear();
  });
  afterEach(() => rm(rootDir, { recursive: true }));

  const run = async (stateStore: StateStoreOption, text: string, count = 5): Promise<void> => {
    const app = await engine("my shop", { stage: "dev", rootDir, stateStore, argv: [], env: {} });
    for (let at = 0; at < count; at++) await Thing(`${at}`, { text });
    await app.finalize();
  };
  const copyTo = async (server: S3Settings, bucket: string): Promise<void> => {
    const client = s3ClientOf(server);
    for (const path of await filesIn(rootDir, "state")) {
      const Body = await readFile(join(rootDir, "state", path));
      await client.send(
        new PutObjectCommand({ Bucket: bucket, Key: `${prefix}/${path.replace(/\.json$/, "")}`, Body }),
      );
    }
    client.destroy();
  };

  it("continues from its last state", async () => {
    const inFiles = fsStoreAt(join(rootDir, "state"));
    await run(inFiles, "one");
    await run(inFiles, "two", 4);
    const options = { ...s3TestOptions(), prefix };
    await copyTo(settings, options.bucket);
    calls.length = 0;
    await run(s3Store(options), "two", 4);
    expect(calls).toEqual([]);
    await run(s3Store(options), "three", 3);
    expect([...there.values()]).toEqual(["three", "three", "three"]);
    calls.length = 0;
    await run(s3Store(options), "three", 3);
    expect(calls).toEqual([]);
  });
});
