/** The servers that blocks use, by the variables that a reader sets: each block finds them empty. */
import { CreateBucketCommand, DeleteObjectsCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { createClient } from "@keyv/redis";
import pg from "pg";
import { given } from "../servers/given.ts";
import { postgresUrlIn, redisUrlIn, type S3Settings, s3SettingsIn } from "../servers/variables.ts";
import type { Block } from "./blocks.ts";

export type ServerName = "s3" | "redis" | "postgres";

/** The reason why the machine lacks a server, by its name. */
export const lacks: Readonly<Record<ServerName, string | undefined>> = {
  s3: s3SettingsIn(process.env) ? undefined : await given("s3"),
  redis: redisUrlIn(process.env) === undefined ? await given("redis") : undefined,
  postgres: postgresUrlIn(process.env) === undefined ? await given("postgres") : undefined,
};

/** Empties the server that the code uses, and resolves with the variables that lead there. */
export async function serverFor(name: ServerName, blocks: readonly Block[]): Promise<Record<string, string>> {
  if (name === "redis") return emptyRedis();
  if (name === "postgres") return emptyPostgres();
  const settings = s3SettingsIn(process.env);
  if (!settings) throw new Error("There is no S3 server.");
  const named = blocks.flatMap(({ code }) =>
    [...code.matchAll(/\bbucket: "([^"]+)"/g)].map(([, bucket = ""]) => bucket),
  );
  await emptyBuckets(settings, [...new Set(named)]);
  return {
    AWS_ENDPOINT_URL_S3: settings.endpoint,
    AWS_ACCESS_KEY_ID: settings.accessKeyId,
    AWS_SECRET_ACCESS_KEY: settings.secretAccessKey,
    AWS_REGION: settings.region,
  };
}

async function emptyBuckets(server: S3Settings, buckets: readonly string[]): Promise<void> {
  const { endpoint, region, accessKeyId, secretAccessKey } = server;
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
  });
  try {
    for (const Bucket of buckets) {
      await client.send(new CreateBucketCommand({ Bucket })).catch((error: unknown) => {
        if (!(error instanceof Error && /^BucketAlready/.test(error.name))) throw error;
      });
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
      const Objects = Contents.map(({ Key }) => ({ Key }));
      if (Objects.length > 0) await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    }
  } finally {
    client.destroy();
  }
}

/** A database of the server that no other test uses. */
async function emptyRedis(): Promise<Record<string, string>> {
  const url = new URL(redisUrlIn(process.env) ?? "");
  url.pathname = "/9";
  const client = createClient({ url: url.href });
  await client.connect();
  try {
    await client.sendCommand(["FLUSHDB"]);
  } finally {
    await client.quit();
  }
  return { REDIS_URL: url.href };
}

/** A schema of the database that no other test uses. */
async function emptyPostgres(): Promise<Record<string, string>> {
  const url = postgresUrlIn(process.env) ?? "";
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query("DROP SCHEMA IF EXISTS pages CASCADE");
  } finally {
    await client.end();
  }
  return { ENGINE_STATE: `${url}?schema=pages` };
}
