/** An S3 that overwrites an object in spite of the condition. */
import { afterAll, beforeAll, describe, it } from "vitest";
import { putTwice } from "./put-twice.js";
import type { S3Server } from "./s3-server.js";
import { startS3rver } from "./s3rver.js";

describe("an S3 that knows no conditions", () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3rver();
  });
  afterAll(() => server.stop());

  it("puts an object again", async () => {
    await putTwice(server);
  });
});
