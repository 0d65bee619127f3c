/** A state in files that is copied to a service without conditions is refused there. */
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
import { startS3rver } from "../servers/s3rver.js";
import type { S3Settings } from "../servers/variables.js";

const { Thing, there, calls } = newThings();
const engine = createEngine();

describeWithS3("a state that is moved from files to a bucket", () => {
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

  it("is not trusted to a service that ignores conditions, though another store was sound", async () => {
    await run(fsStoreAt(join(rootDir, "state")), "one");
    const server = await startS3rver();
    try {
      await makeTestBucket(server);
      const { accessKeyId, secretAccessKey, endpoint } = server;
      const options = { ...s3TestOptions(endpoint), prefix, credentials: { accessKeyId, secretAccessKey } };
      await copyTo(server, options.bucket);
      await expect(run(s3Store(options), "two")).rejects.toMatchObject({ code: "STORE_NOT_ATOMIC" });
    } finally {
      await server.stop();
    }
  });
});
