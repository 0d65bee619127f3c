import { describe, expect, it } from "vitest";
import { storeAt } from "../../../../plugins/cli/state/store-at.js";

describe("the address of a store", () => {
  it.each([
    ["", "it is empty"],
    ["gs://bucket", "stores at gs: are not known here"],
    ["s3://", "the bucket is missing"],
    ["s3://AKIA:hush@bucket", "not from the address"],
    ["s3://bucket?acl=public", "acl"],
    ["s3://bucket/50%", "URI malformed"],
    ["file://host/state", "File URL host"],
    ["redis://ada:hush@host:none", "that is no address"],
    ["redis://host?db=1", "db"],
  ])("%s is refused, and no password is shown", async (text, why) => {
    const error: unknown = await storeAt(text).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining(why) });
    expect(String(error)).not.toContain("hush");
  });

  it.each([
    "moved",
    "./moved",
    "file:///srv/state",
    "s3://bucket/team/a?region=eu-central-1",
    "rediss://host:6380?prefix=a",
  ])("%s is one", async (text) => expect(await storeAt(text)).toBeTypeOf("function"));
});
