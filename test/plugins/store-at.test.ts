import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { StoreContext } from "../../core/contract/index.js";
import { storeUrl } from "../../plugins/internal/flags/flag.js";
import { storeAt } from "../../plugins/state-store/store-at.js";

const context: StoreContext = {
  appName: "shop",
  stage: "dev",
  rootDir: resolve("/srv/shop"),
  profile: undefined,
  url: undefined,
  env: {},
  warn() {},
};

describe("the URL of a store", () => {
  it.each([
    ["state", "its address is not a URL"],
    ["gs://bucket", '"gs:" is not a known kind of store'],
    ["s3://", "the bucket is missing"],
    ["s3://AKIA:hush@bucket", "do not belong in the URL"],
    ["s3://bucket?acl=public", "its address has an unknown parameter"],
    ["s3://bucket?regio=eu", 'Did you mean "region"?'],
    ["s3://bucket?region=a&region=b", "twice"],
    ["s3://bucket?region=", "a parameter is empty"],
    ["s3://localhost:9000/state", "a bucket has no port"],
    ["s3://bucket/state#hush", 'its address has a "#"'],
    ["file://", "the folder is missing"],
    ["file:///", "the folder is missing"],
    ["redis://ada:?hush@host", "percent-encoded"],
    ["redis://ada:1#hush@host", "percent-encoded"],
    ["redis://ada:1/hush@host", "percent-encoded"],
    ["s3://bucket/50%", "URI malformed"],
    ["file:", "the folder is missing"],
    ["file://host/state", "File URL host"],
    ["file:///state?append=false", "its address has an unknown parameter"],
    ["redis://ada:hush@host:none", "its address is not a URL"],
    ["postgres://ada:?hush@host/db", "percent-encoded"],
    ["postgres://ada:1#hush@host/db", "percent-encoded"],
    ["postgres://ada:1/hush@host/db", "percent-encoded"],
    ["postgres://ada:hush@host:none/db", "its address is not a URL"],
    ["postgres://ada:hush%zz@host/db", "URI malformed"],
    ["postgres://ada:hush@host/db?tabel=x", 'Did you mean "table"?'],
    ["redis://host?db=1", "its address has an unknown parameter"],
    ["redis://host?cluster=yes", 'the parameter "cluster" must be "true"'],
    ["redis://host/2?cluster=true", "without a database, because a cluster has only one"],
  ])("%s is refused, and no password is shown", async (text, why) => {
    const error: unknown = await storeAt(text, context).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "INVALID_OPTION", message: expect.stringContaining(why) });
    expect(String(error)).not.toContain("hush");
  });

  it.each([
    ["file:///srv/state", { name: "fs", location: resolve("/srv/state") }],
    ["file:state", { name: "fs", location: resolve("/srv/shop/state") }],
    ["file:../team%20state", { name: "fs", location: resolve("/srv/team state") }],
    ["s3://bucket/team/a?region=eu-central-1", { name: "s3", location: "s3://bucket/team/a" }],
    ["S3://bucket", { name: "s3", location: "s3://bucket" }],
    ["rediss://ada:hush@host:6380/2?prefix=a", { name: "redis", location: "rediss://host:6380/2?prefix=a" }],
    ["rediss://ada:hush@host?cluster=true", { name: "redis", location: "rediss://host:6379" }],
    ["postgres://ada:hush@host/team", { name: "postgres", location: "postgres://host:5432/team" }],
    [
      "postgresql://ada:hush@host:6432/team?schema=ops&table=the%20state&sslmode=verify-full",
      { name: "postgres", location: "postgres://host:6432/team?schema=ops&table=the+state" },
    ],
  ])("%s is one", async (text, store) => expect(await storeAt(text, context)).toMatchObject(store));

  it.each([
    ["moved", "file:moved"],
    ["./my state", "file:.%2Fmy%20state"],
    [resolve("/srv/a"), pathToFileURL(resolve("/srv/a")).href],
    ["", "file:"],
    ["file:moved", "file:moved"],
    ["s3://bucket", "s3://bucket"],
  ])("is given on a command line as %s", (text, url) => expect(storeUrl(text, "--state")).toBe(url));

  it("is not a home folder that the shell has left as it is, and the flag is named", () => {
    expect(() => storeUrl("~/state", "--to")).toThrow(
      'Argument --to must be a URL or a folder: the shell did not expand the "~" in it.',
    );
  });
});
