import { S3Client } from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { type S3StoreOptions, s3Store, s3StoreAt } from "../../adapters/s3/index.js";

const context = { appName: "app", stage: "dev", rootDir: "/", profile: undefined, warn: () => {} };
const unchecked = (options: object) => options as S3StoreOptions;

describe("s3Store", () => {
  it("is named after where the state is, without credentials", () => {
    expect(s3StoreAt({ bucket: "state" })).toMatchObject({ name: "s3", location: "s3://state" });
    const endpoint = "https://key:secret@storage.example:9000/path";
    expect(s3StoreAt({ bucket: "state", prefix: "/team/a/", endpoint }).location).toBe(
      "s3://state/team/a at https://storage.example:9000",
    );
    expect(s3Store({ bucket: "state" })(context)).not.toHaveProperty("local");
  });

  it.each<[string, object, RegExp]>([
    ["no bucket", {}, /"bucket" of s3Store\(\) must be the name of a bucket, not undefined/],
    ["an empty bucket", { bucket: "" }, /"bucket" of s3Store\(\) must be the name of a bucket/],
    ["an unknown option", { bucket: "b", regoin: "eu" }, /no option "regoin". Did you mean "region"/],
    ["an endpoint that is no URL", { bucket: "b", endpoint: "storage" }, /"endpoint" of s3Store\(\) must be the URL/],
    ["an endpoint without a scheme", { bucket: "b", endpoint: "localhost:9000" }, /"endpoint" .* the URL .*https?:/],
    ["an endpoint of another kind", { bucket: "b", endpoint: "s3://b" }, /"endpoint" .* the URL of a service/],
    ["more time than a timer knows", { bucket: "b", requestTimeout: 2 ** 31 }, /"requestTimeout" .* 2,147,483,647/],
    ["a prefix that is no string", { bucket: "b", prefix: 1 }, /"prefix" .* must be a string/],
    ["no time at all", { bucket: "b", retryTimeout: 0 }, /"retryTimeout" .* milliseconds above 0/],
    ["tags that are no strings", { bucket: "b", tags: { team: 1 } }, /"tags" .* an object of strings/],
    ["a client that is none", { bucket: "b", client: {} }, /"client" .* an S3Client/],
  ])("refuses %s", (_what, options, message) => {
    const refusal = expect.objectContaining({ code: "INVALID_OPTION", message: expect.stringMatching(message) });
    expect(() => s3Store(unchecked(options))).toThrow(refusal);
    expect(() => s3StoreAt(unchecked(options))).toThrow(refusal);
  });

  it("refuses how a client is made beside a client", () => {
    const client = new S3Client({ region: "us-east-1" });
    expect(() => s3Store({ bucket: "b", client, region: "eu-west-1", forcePathStyle: true })).toThrow(
      /"client" cannot be combined with "region", "forcePathStyle"/,
    );
    client.destroy();
  });

  it("tells no value, for it may be secret", () => {
    expect(() => s3Store(unchecked({ bucket: "b", credentials: "hunter2" }))).toThrow(
      /^The option "credentials" of s3Store\(\) must be credentials or a function, not a string\.$/,
    );
  });

  it("takes options that are undefined for absent ones", () => {
    expect(() => s3Store(unchecked({ bucket: "b", endpoint: undefined, client: undefined }))).not.toThrow();
  });
});
