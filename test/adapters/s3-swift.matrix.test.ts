/** OpenStack Swift answers conditional writes with 501. */
import { expect, it } from "vitest";
import { describeWithSwift } from "../servers/given-swift.js";
import { putTwice } from "../servers/put-twice.js";
import { leftIn, makeStage } from "./s3-stage.js";

describeWithSwift("a store that does not know the condition", (settings) => {
  it("is refused when a stage is made, with an alternative", async () => {
    await expect(makeStage(settings, "refusing")).rejects.toMatchObject({
      cause: {
        code: "STORE_NOT_ATOMIC",
        message: expect.stringMatching(
          /does not support conditional writes \(it answers 501 to If-None-Match\).*AWS S3.*redisStore/,
        ),
      },
    });
    expect(await leftIn(settings, "refusing")).toEqual([]);
  });
});

describeWithSwift("the server itself", (settings) => {
  it("answers that it does not implement conditions", async () => {
    await expect(putTwice(settings)).rejects.toMatchObject({
      name: "NotImplemented",
      $metadata: { httpStatusCode: 501 },
    });
  });
});
