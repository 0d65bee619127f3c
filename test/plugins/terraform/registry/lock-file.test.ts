import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LockedProvider, readLock } from "../../../../plugins/terraform/registry/index.js";
import { lockText, writeLocked } from "../../../../plugins/terraform/registry/lock-file.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "terraform-lock-"));
});
afterAll(() => rm(folder, { recursive: true }));

const [zh, h1] = [`zh:${"a".repeat(64)}`, `h1:${"A".repeat(43)}=`];
const one: LockedProvider = { version: "1.2.0", range: "^1.2", protocols: ["5.0"], hashes: [zh, h1, zh] };

describe("the lock file", () => {
  test("is the same text whatever the order, and reads as it was written", async () => {
    const file = join(folder, "a.json");
    writeLocked(file, "b.example/x/y", one);
    writeLocked(file, "a.example/x/y", { ...one, mirror: "./mirror" });
    const lock = readLock(file);
    expect(Object.keys(lock)).toEqual(["a.example/x/y", "b.example/x/y"]);
    expect(lock["b.example/x/y"]).toEqual({ ...one, hashes: [h1, zh] });
    expect(lockText({ "b.example/x/y": one })).toBe(`{
  "providers": {
    "b.example/x/y": {
      "range": "^1.2",
      "version": "1.2.0",
      "protocols": [
        "5.0"
      ],
      "hashes": [
        "${h1}",
        "${zh}"
      ]
    }
  }
}
`);
  });

  test("that is not there names no provider", () => {
    expect(readLock(join(folder, "none.json"))).toEqual({});
  });

  test.each([
    ["<<<<<<< ours", "is no JSON"],
    ["[]", 'no object "providers"'],
    ['{"providers":{"a":1}}', 'for "a" no object'],
    [JSON.stringify({ providers: { a: { ...one, version: "latest" } } }), 'for "a" no version: "latest"'],
    [JSON.stringify({ providers: { a: { ...one, hashes: ["md5:1"] } } }), 'a hash that is none: "md5:1"'],
    [JSON.stringify({ providers: { a: { ...one, hashes: undefined } } }), "no list of hashes"],
    [JSON.stringify({ providers: { a: { ...one, range: 1 } } }), "no range: 1"],
  ])("with nonsense is refused: %s", async (text, why) => {
    const file = join(folder, "bad.json");
    await writeFile(file, text);
    expect(() => readLock(file)).toThrow(
      expect.objectContaining({ code: "PROVIDER_UNVERIFIED", message: expect.stringContaining(why) }),
    );
  });
});
