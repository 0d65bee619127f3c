/** Stores that the environment or a command line names, on real servers. */
import { randomUUID } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";
import { postgresStore } from "../../adapters/postgres/index.js";
import { redisStore } from "../../adapters/redis/index.js";
import { s3Store } from "../../adapters/s3/index.js";
import type { EngineOptions } from "../../core/contract/index.js";
import { cliArgs } from "../../plugins/cli-args/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { envOptions } from "../../plugins/env-options/index.js";
import { stateStore } from "../../plugins/state-store/index.js";
import { newThings } from "../helpers/apps/things.ts";
import { makeTestBucket, s3TestOptions } from "../helpers/stores/s3-store.ts";
import { describeWithPostgres } from "../servers/given-postgres.ts";
import { describeWithRedis } from "../servers/given-redis.ts";
import { describeWithS3 } from "../servers/given-s3.ts";

const engine = createEngine({ plugins: [cliArgs(), envOptions(), stateStore()] });

/**
 * Runs with each of the options in turn, and returns the calls of handlers: each later run finds the records of the
 * first.
 */
async function callsOf(...runs: readonly EngineOptions[]): Promise<readonly string[]> {
  const name = `by-environment-${randomUUID()}`;
  const { Thing, calls } = newThings();
  for (const options of runs) {
    const app = await engine(name, { stage: "dev", argv: [], env: {}, ...options });
    await app.run(() => Thing("a"));
    await app.finalize();
  }
  const app = await engine(name, { stage: "dev", argv: [], env: {}, ...runs[0], phase: "destroy" });
  await app.finalize();
  return calls.map((call) => call.replace(`${name}/`, ""));
}

describeWithRedis("redisStore() without options, and URLs of Redis", (url) => {
  it("find each other's records", async () => {
    const calls = await callsOf(
      { stateStore: redisStore(), env: { ENGINE_REDIS_URL: url, REDIS_URL: "redis://127.0.0.1:1" } },
      { stateStore: redisStore(), env: { REDIS_URL: url } },
      { stateStore: redisStore(), env: { ENGINE_STATE: url } },
      { stateStore: redisStore(), argv: ["--state", url] },
      { stateStore: url },
      { env: { ENGINE_STATE: url } },
    );
    expect(calls).toEqual(["create dev/a", "delete dev/a"]);
  });
});

describeWithPostgres("postgresStore() without options, and URLs of PostgreSQL", (url) => {
  it("find each other's records", async () => {
    const calls = await callsOf(
      { stateStore: postgresStore(), env: { ENGINE_POSTGRES_URL: url } },
      { stateStore: postgresStore(), env: { ENGINE_STATE: url, ENGINE_POSTGRES_URL: "postgres://127.0.0.1:1/none" } },
      { stateStore: postgresStore(), argv: ["--state", url.replace("postgres:", "postgresql:")] },
      { stateStore: postgresStore({ connectionString: url, schema: "public", table: "scope_engine_state" }) },
      { stateStore: `${url}?sslmode=disable` },
      { env: { ENGINE_STATE: url } },
    );
    expect(calls).toEqual(["create dev/a", "delete dev/a"]);
  });
});

describeWithS3("s3Store() without options, and URLs of S3", ({ endpoint, region, accessKeyId, secretAccessKey }) => {
  afterEach(() => void vi.unstubAllEnvs());

  it("find each other's records", async () => {
    await makeTestBucket();
    // Keys are looked for by the packages of AWS.
    vi.stubEnv("AWS_ACCESS_KEY_ID", accessKeyId);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", secretAccessKey);
    const { bucket } = s3TestOptions();
    const where = { AWS_REGION: region, AWS_ENDPOINT_URL_S3: endpoint };
    const url = `s3://${bucket}?region=${region}&endpoint=${encodeURIComponent(endpoint)}`;
    const calls = await callsOf(
      { stateStore: s3Store(), env: { ENGINE_S3_BUCKET: bucket, ...where } },
      { stateStore: s3Store(), env: { ENGINE_STATE: url, ENGINE_S3_BUCKET: "another" } },
      { argv: [`--state=${url}`] },
      { stateStore: url },
    );
    expect(calls).toEqual(["create dev/a", "delete dev/a"]);
  });
});

it.each([
  ["s3Store()", s3Store(), "ENGINE_S3_BUCKET"],
  ["redisStore()", redisStore(), "ENGINE_REDIS_URL"],
  ["postgresStore()", postgresStore(), "ENGINE_POSTGRES_URL"],
])("%s that the environment tells nothing is refused, with variable and option", async (call, stateStore, variable) => {
  const opened = Promise.resolve(engine("shop", { stage: "dev", stateStore, argv: [], env: {} }));
  await expect(opened).rejects.toMatchObject({
    code: "INVALID_OPTION",
    message: expect.stringMatching(
      new RegExp(`^${call.replace("()", "\\(\\)")} .*pass \\{ .*${variable}.*ENGINE_STATE`),
    ),
  });
});
