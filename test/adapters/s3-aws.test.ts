/** Differences of AWS from the S3 server of the tests, and the advice for each of its errors. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { S3Client } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type S3Store, type S3StoreOptions, s3Store, s3StoreAt } from "../../adapters/s3/index.js";
import { listed } from "../../plugins/testing/store/case.js";
import { makeTestBucket, s3TestOptions } from "../helpers/stores/s3-store.js";
import { type AwsDouble, startAwsDouble } from "../servers/aws-double.js";
import type { AwsErrorCode } from "../servers/aws-errors.js";
import { describeWithS3 } from "../servers/given-s3.js";
import { s3ClientOf } from "../servers/s3-client.js";

const bucket = "team-state";
let double: AwsDouble;
let store: S3Store;

function optionsFor({ endpoint, accessKeyId, secretAccessKey }: AwsDouble): S3StoreOptions {
  return { bucket, endpoint, credentials: { accessKeyId, secretAccessKey }, retryTimeout: 400, requestTimeout: 10_000 };
}

describe("a bucket of AWS", () => {
  beforeEach(async () => {
    double = await startAwsDouble({ buckets: [bucket] });
    store = s3StoreAt(optionsFor(double));
  });
  afterEach(async () => {
    vi.useRealTimers();
    await store.close();
    await double.stop();
  });

  const refused = async (code: AwsErrorCode, act: () => Promise<unknown>): Promise<string> => {
    double.refuse = () => code;
    const error: unknown = await act().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: "STORE_FAILED", cause: expect.objectContaining({}) });
    return String(error);
  };

  it.each<[AwsErrorCode, RegExp]>([
    [
      "NoSuchBucket",
      /Could not read "app\/key" in s3:\/\/team-state at .*The bucket "team-state" does not exist\. Create it, or correct/,
    ],
    [
      "PermanentRedirect",
      /The bucket "team-state" is in the region "eu-central-1", not in "us-east-1"\. Set the region to "eu-central-1" \(/,
    ],
    ["AuthorizationHeaderMalformed", /is in the region "eu-central-1", not in "us-east-1"/],
    ["ExpiredToken", /The credentials have expired or are not valid\. Renew them \(for SSO: aws sso login\)/],
    ["InvalidAccessKeyId", /The store does not know this access key/],
    ["SignatureDoesNotMatch", /or the secret key does not belong to it/],
    ["AccessDenied", /Permission is missing\. Grant s3:GetObject, s3:ListBucket on the bucket "team-state"/],
    ["RequestTimeTooSkewed", /differs from the store's clock, which says .* GMT\. Correct this machine's clock/],
  ])("says of %s what to do, and never that something is absent", async (code, advice) => {
    const message = await refused(code, () => store.get("app/key"));
    expect(message).toMatch(advice);
    expect(message).toContain(code);
    await refused(code, () => store.deleteMany(["app/key"]));
    await refused(code, () => listed(store, "app/"));
    await refused(code, () => store.create("app/key", ""));
  });

  it.each<[string, (one: S3Store) => Promise<unknown>]>([
    ["s3:PutObject", (one) => one.set("app/key", "")],
    [
      "s3:PutObject, s3:PutObjectTagging, kms:GenerateDataKey, kms:Decrypt, s3:GetObject",
      (one) => one.create("app/key", ""),
    ],
    ["s3:ListBucket", (one) => listed(one, "app/")],
    ["s3:ListBucket", (one) => one.deleteMany(["app/key"])],
  ])("names the rights that are missing: %s", async (rights, act) => {
    const isPlain = rights === "s3:PutObject";
    const tagged = isPlain ? store : s3StoreAt({ ...optionsFor(double), tags: { team: "a" }, kmsKeyId: "key" });
    expect(await refused("AccessDenied", () => act(tagged))).toContain(`Grant ${rights} on the bucket`);
    await tagged.close();
  });

  it("names the right to delete", async () => {
    await store.set("app/key", "");
    double.refuse = ({ method }) => (method === "DELETE" || method === "POST" ? "AccessDenied" : undefined);
    await expect(store.deleteMany(["app/key"])).rejects.toThrow(/Grant s3:DeleteObject on the bucket/);
    await expect(store.deleteMany(["app/key"])).rejects.toThrow(/Grant s3:DeleteObject on the bucket/);
  });

  it("is not asked again where that is of no use", async () => {
    await refused("AccessDenied", () => store.get("app/key"));
    expect(double.requests).toHaveLength(1);
  });

  const passing: readonly AwsErrorCode[] = ["SlowDown", "InternalError", "ConditionalRequestConflict"];
  it.each(passing)("is asked again after %s, then given up", async (code) => {
    // The store's time stands still until the third answer uses all of it.
    vi.useFakeTimers({ toFake: ["performance"] });
    store = s3StoreAt({ ...optionsFor(double), retryTimeout: 60_000 });
    double.refuse = () => {
      if (double.requests.length === 3) vi.advanceTimersByTime(60_000);
      return code;
    };
    const message = expect.stringContaining(`after 3 attempts in 60 s: ${code}`);
    await expect(store.create("app/key", "")).rejects.toMatchObject({ code: "STORE_FAILED", message });
    expect(double.requests).toHaveLength(3);
  });

  it("takes a clock that is wrong for its own, and goes on", async () => {
    double.refuse = () => (double.requests.length === 1 ? "RequestTimeTooSkewed" : undefined);
    await store.set("app/key", "value");
    expect(double.requests).toHaveLength(2);
  });

  it("gets encryption, class and tags from the options, with each object", async () => {
    const special = s3StoreAt({
      ...optionsFor(double),
      serverSideEncryption: "aws:kms",
      kmsKeyId: "arn:aws:kms:eu-central-1:1:key/a",
      storageClass: "STANDARD_IA",
      tags: { team: "a & b", cost: "1" },
    });
    await special.set("app/set", "");
    await special.create("app/created", "");
    await special.close();
    expect(double.requests).toHaveLength(2);
    for (const { header } of double.requests) {
      expect(header("x-amz-server-side-encryption")).toBe("aws:kms");
      expect(header("x-amz-server-side-encryption-aws-kms-key-id")).toBe("arn:aws:kms:eu-central-1:1:key/a");
      expect(header("x-amz-storage-class")).toBe("STANDARD_IA");
      expect(header("x-amz-tagging")).toBe("team=a+%26+b&cost=1");
      expect(header("content-type")).toBe("application/json; charset=utf-8");
    }
  });

  it("is asked for 2,500 deletes in three batches, with both kinds of checksum", async () => {
    const keys = Array.from({ length: 2_500 }, (_, index) => `app/${index}`);
    // No request is given up, however slow the machine is.
    const patient = s3StoreAt({ ...optionsFor(double), requestTimeout: undefined, retryTimeout: undefined });
    await patient.set("app/0", "");
    expect(await patient.deleteMany(keys)).toBe(true);
    await patient.close();
    const batches = double.requests.filter(({ method }) => method === "POST");
    expect(batches).toHaveLength(3);
    expect(batches.every(({ header }) => header("content-md5") && header("x-amz-checksum-crc32"))).toBe(true);
  });

  it("names the first and the last of many that could not be deleted", async () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => `app/${index}`);
    await store.set("app/0", "");
    double.refuse = ({ method }) => (method === "POST" ? "AccessDenied" : undefined);
    const error = await store.deleteMany(keys).catch(String);
    expect(error).toContain(`Could not delete "app/0", 998 others and "app/999" in `);
    expect(String(error).length).toBeLessThan(700);
  });

  describe("and who asks", () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "aws-config-"));
      const file = join(folder, "credentials");
      const keysOf = (name: string): string =>
        `[${name}]\naws_access_key_id = of-${name}\naws_secret_access_key = secret\n`;
      await writeFile(file, ["default", "team", "store"].map(keysOf).join("\n"));
      vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", file);
      vi.stubEnv("AWS_CONFIG_FILE", join(folder, "none"));
      vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
      for (const name of ["AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]) vi.stubEnv(name, undefined);
    });
    afterEach(async () => {
      vi.unstubAllEnvs();
      await rm(folder, { recursive: true });
    });

    const asker = async (profile: string | undefined, more: Partial<S3StoreOptions> = {}) => {
      // Reading the profiles is slow on a busy machine.
      const make = s3Store({ ...optionsFor(double), credentials: undefined, retryTimeout: 60_000, ...more });
      const own = make({ appName: "app", stage: "dev", rootDir: folder, profile, warn: () => {} });
      await own.get("app/key");
      await own.close();
      return /Credential=([^/]+)/.exec(double.requests.at(-1)?.header("authorization") ?? "")?.[1];
    };

    it("is the run's profile, unless the store names another, or keys", async () => {
      expect(await asker(undefined)).toBe("of-default");
      expect(await asker("team")).toBe("of-team");
      expect(await asker("team", { profile: "store" })).toBe("of-store");
      expect(await asker("team", { credentials: { accessKeyId: "given", secretAccessKey: "secret" } })).toBe("given");
    });

    it("is the owner of a given client, which stays open", async () => {
      const client: S3Client = s3ClientOf({ ...double, accessKeyId: "mine" });
      const own = { endpoint: undefined, credentials: undefined, client };
      expect(await asker("team", own)).toBe("mine");
      expect(await asker("team", own)).toBe("mine");
      client.destroy();
    });

    it("is missing if no credentials are found, which is reported", async () => {
      await expect(asker("nobody")).rejects.toMatchObject({
        code: "STORE_FAILED",
        message: expect.stringMatching(
          /No usable credentials were found\. Set AWS_PROFILE, or pass \{ profile \} or \{ credentials \}/,
        ),
      });
    });

    it("must know the region", async () => {
      vi.stubEnv("AWS_REGION", undefined);
      await expect(asker(undefined, { endpoint: undefined })).rejects.toMatchObject({
        code: "STORE_FAILED",
        message: expect.stringMatching(/Pass \{ region \}, or set AWS_REGION/),
      });
    });
  });

  it("is an address at first: if nothing answers, it is given up early", async () => {
    await double.stop();
    // The limit of a test is shorter than the default time for retries.
    const nowhere = s3StoreAt({ ...optionsFor(double), retryTimeout: 600_000 });
    await expect(nowhere.get("app/key")).rejects.toThrow(/ECONNREFUSED.*Check \{ endpoint \} and the network/);
    await nowhere.close();
    double = await startAwsDouble();
  });
});

describeWithS3("a real server", () => {
  beforeAll(() => makeTestBucket());
  let own: S3Store;
  afterAll(() => own.close());

  it.each<[string, Partial<S3StoreOptions>, RegExp]>([
    ["another bucket", { bucket: "not-there" }, /The bucket "not-there" does not exist/],
    [
      "an unknown key",
      { credentials: { accessKeyId: "nobody", secretAccessKey: "x" } },
      /does not know this access key/,
    ],
    [
      "a wrong secret",
      { credentials: { accessKeyId: "test", secretAccessKey: "x" } },
      /the secret key does not belong to it/,
    ],
  ])("says of %s what is wrong", async (_what, options, advice) => {
    own = s3StoreAt({ ...s3TestOptions(), ...options });
    await expect(own.get("app/key")).rejects.toThrow(advice);
    await expect(own.create("app/key", "")).rejects.toThrow(advice);
    await expect(listed(own, "app/")).rejects.toThrow(advice);
  });
});
