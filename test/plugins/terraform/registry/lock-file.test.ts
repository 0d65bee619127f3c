import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lockFileOf } from "../../../../plugins/terraform/lifecycle/connections.js";
import { type LockedProvider, readLock } from "../../../../plugins/terraform/registry/index.js";
import { lockText, writeLocked } from "../../../../plugins/terraform/registry/lock-file.ts";
import { cwd as folder, folderEach } from "../../../e2e/own-folder.ts";

folderEach("terraform-lock");

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
    ["<<<<<<< ours", "is not valid JSON"],
    ["[]", 'no object "providers"'],
    ['{"providers":{"a":1}}', 'entry "a": it is not an object'],
    [
      JSON.stringify({ providers: { a: { ...one, version: "latest" } } }),
      'entry "a": its version is invalid: "latest"',
    ],
    [JSON.stringify({ providers: { a: { ...one, hashes: ["md5:1"] } } }), 'one of its hashes is invalid: "md5:1"'],
    [JSON.stringify({ providers: { a: { ...one, hashes: undefined } } }), "its hashes are not a list of strings"],
    [JSON.stringify({ providers: { a: { ...one, range: 1 } } }), "its range is not a string: 1"],
  ])("with nonsense is refused: %s", async (text, why) => {
    const file = join(folder, "bad.json");
    await writeFile(file, text);
    expect(() => readLock(file)).toThrow(
      expect.objectContaining({ code: "PROVIDER_UNVERIFIED", message: expect.stringContaining(why) }),
    );
  });
});

test("the lock file of a run is that beside its program, else that of the root folder", async () => {
  const program = join(folder, "infra", "app.ts");
  await mkdir(join(folder, "infra"));
  expect(lockFileOf(folder, program)).toBe(join(folder, "engine.lock.json"));
  await writeFile(join(folder, "infra", "engine.lock.json"), "{}");
  expect(lockFileOf(folder, program)).toBe(join(folder, "infra", "engine.lock.json"));
  expect(lockFileOf(folder, undefined)).toBe(join(folder, "engine.lock.json"));
});
