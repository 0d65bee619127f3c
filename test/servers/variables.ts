/** The environment variables by which tests, and the programs that they start, find the servers that they share. */
import type { S3Server } from "./s3-server.js";

export type S3Settings = Pick<S3Server, "endpoint" | "region" | "accessKeyId" | "secretAccessKey">;

export function redisVariables({ url }: { readonly url: string }): Record<string, string> {
  return { TEST_REDIS_URL: url };
}

export function redisUrlIn(env: NodeJS.ProcessEnv): string | undefined {
  return env.TEST_REDIS_URL;
}

export function postgresVariables({ openUrl }: { readonly openUrl: string }): Record<string, string> {
  return { TEST_POSTGRES_URL: openUrl };
}

export function postgresUrlIn(env: NodeJS.ProcessEnv): string | undefined {
  return env.TEST_POSTGRES_URL;
}

export function rabbitmqVariables({ url }: { readonly url: string }): Record<string, string> {
  return { TEST_RABBITMQ_URL: url };
}

export function rabbitmqUrlIn(env: NodeJS.ProcessEnv): string | undefined {
  return env.TEST_RABBITMQ_URL;
}

export function s3Variables({ endpoint, region, accessKeyId, secretAccessKey }: S3Settings): Record<string, string> {
  return {
    TEST_S3_ENDPOINT: endpoint,
    TEST_S3_REGION: region,
    TEST_S3_ACCESS_KEY: accessKeyId,
    TEST_S3_SECRET_KEY: secretAccessKey,
  };
}

export function s3SettingsIn(env: NodeJS.ProcessEnv): S3Settings | undefined {
  const { TEST_S3_ENDPOINT: endpoint, TEST_S3_REGION: region = "us-east-1" } = env;
  const { TEST_S3_ACCESS_KEY: accessKeyId = "test", TEST_S3_SECRET_KEY: secretAccessKey = "testsecret" } = env;
  return endpoint === undefined ? undefined : { endpoint, region, accessKeyId, secretAccessKey };
}
