import { describe, expect, test } from "vitest";
import { addressText, parseSource, pathText, termsOf } from "../../../../plugins/terraform/registry/index.js";
import { newestFirst, rangeFrom, readRange } from "../../../../plugins/terraform/registry/range.ts";
import { archiveHashes, readSums } from "../../../../plugins/terraform/registry/verify-sums.js";

describe("a source", () => {
  test.each([
    ["cyrilgdn/postgresql", "registry.opentofu.org/cyrilgdn/postgresql", undefined],
    ["Hashicorp/AWS@~> 5.2", "registry.opentofu.org/hashicorp/aws", "~> 5.2"],
    ["registry.example.com/acme/thing@>=1.2 <2", "registry.example.com/acme/thing", ">=1.2 <2"],
    ["localhost:8080/acme/thing@1.2.3", "localhost:8080/acme/thing", "1.2.3"],
    ["127.0.0.1:81/a/b", "127.0.0.1:81/a/b", undefined],
  ])("is read: %s", (text, name, range) => {
    const source = parseSource(text, "/project");
    expect(source.from === "registry" && [addressText(source.address), source.range]).toEqual([name, range]);
  });

  test.each([
    ["./terraform-provider-x", "/project/terraform-provider-x", "./terraform-provider-x"],
    ["../bin/x", "/bin/x", "../bin/x"],
    ["/opt/x@1", "/opt/x@1", "../opt/x@1"],
  ])("is a path: %s", (text, path, locked) => {
    expect(parseSource(text, "/project")).toEqual({ from: "path", path });
    expect(pathText(path, "/project")).toBe(locked);
  });

  test("without a namespace is refused with one", () => {
    expect(() => parseSource("random", "/")).toThrow("hashicorp/random");
  });

  test.each(["a/b/c/d", "example/acme/thing", "a b/c", "a/b@", "-a/b", "registry.example.com:x/a/b", "a/..", ""])(
    "is refused: %j",
    (text) => {
      expect(() => parseSource(text, "/")).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    },
  );

  test("of a registry for Terraform only has a line about its terms", () => {
    const terms = (text: string) => {
      const source = parseSource(text, "/");
      return source.from === "registry" ? termsOf(source.address) : undefined;
    };
    expect(terms("registry.terraform.io/hashicorp/aws")).toContain("allow only Terraform");
    expect(terms("hashicorp/aws")).toBeUndefined();
  });
});

describe("a range", () => {
  test.each([
    ["~> 1.2", ["1.2.0", "1.9.0"], ["1.1.9", "2.0.0"]],
    ["~> 1.2.3", ["1.2.3", "1.2.9"], ["1.2.2", "1.3.0"]],
    ["~> 0.2", ["0.2.0", "0.9.0"], ["0.1.0", "1.0.0"]],
    ["~>1", ["1.0.0", "1.9.9"], ["2.0.0"]],
    [">= 1.2, < 2.0, != 1.4.0", ["1.2.0", "1.5.0"], ["1.4.0", "2.0.0"]],
    ["^1.2", ["1.2.0", "1.9.0"], ["2.0.0", "1.3.0-beta1"]],
    ["1.2.3", ["1.2.3"], ["1.2.4"]],
    ["1.3.0-beta1", ["1.3.0-beta1"], ["1.3.0-beta2"]],
    ["1.x || 3.x", ["1.0.0", "3.1.0"], ["2.0.0"]],
  ])("%s", (text, within, without) => {
    const isIn = readRange(text);
    expect([within.filter(isIn), without.filter(isIn)]).toEqual([within, []]);
  });

  test.each(["latest", "1.2,", "!= x", "~> one"])("is refused: %s", (text) => {
    expect(() => readRange(text)).toThrow("not a range of versions");
  });

  test("is what npm would write, where none was named", () => {
    expect([rangeFrom("1.2.3"), rangeFrom("0.2.3"), rangeFrom("1.0.0-rc1")]).toEqual(["^1.2.3", "^0.2.3", "1.0.0-rc1"]);
  });

  test("is looked for among versions, the newest first", () => {
    const all = ["1.9.0", "x", "1.10.0", "1.10.0-rc1"].map((version) => ({ version }));
    expect(newestFirst(all).map(({ version }) => version)).toEqual(["1.10.0", "1.10.0-rc1", "1.9.0"]);
  });
});

test("checksums are read in every form, and other lines are left out", () => {
  const [a, b] = ["a".repeat(64), "B".repeat(64)];
  const sums = readSums(`${a}  x_linux.zip\r\n${b} *x_darwin.zip\nhello\n${a}  x_manifest.json\n`);
  expect([...sums]).toEqual([
    ["x_linux.zip", a],
    ["x_darwin.zip", b.toLowerCase()],
    ["x_manifest.json", a],
  ]);
  const url = new URL("https://example.com/");
  const archive = { protocols: [], fileName: "x_linux.zip", sha256: a, keys: [], url, sumsUrl: url, signatureUrl: url };
  expect(archiveHashes(sums, archive)).toEqual([`zh:${a}`, `zh:${b.toLowerCase()}`]);
  expect(() => archiveHashes(sums, { ...archive, fileName: "y.zip" })).toThrow("has no checksum of y.zip");
});
