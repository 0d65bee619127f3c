import { createClient } from "@keyv/redis";
import { describe, expect, it } from "vitest";
import { slotOf } from "../../adapters/redis/link.js";
import { keyNames, stageOf } from "../../adapters/redis/open.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { startRedis } from "../servers/redis.js";

const { value, index, call, stages } = keyNames("p:");
const odd = [
  "a",
  "",
  "/",
  "//",
  "///",
  "a/b",
  "a/b/c",
  "a}/b/c",
  "}/}/}",
  "=7D/b/c",
  "=/b/c",
  "a{/{b/c",
  "{}/x/y",
  "ä/ö/ü",
];

describe("keys in Redis", () => {
  it("look like the keys of the engine, with the stage as the hash tag", () => {
    expect(value("my%20app/dev/journal/000000000001")).toBe("p:{my%20app/dev}/journal/000000000001");
    expect(index("app/dev")).toBe("p:{app/dev}:index");
    expect(call("app/dev", "1")).toBe("p:{app/dev}:call:1");
    expect(value("app")).toBe("p:{-}/app");
    expect(stages).toBe("p:{-}:stages");
  });

  it.each([
    ["", ""],
    ["app", ""],
    ["app/", ""],
    ["app/dev", ""],
    ["app/dev/", "app/dev"],
    ["app/dev/a/b", "app/dev"],
    ["//", "/"],
  ])("%j has the stage %j", (key, stage) => {
    expect(stageOf(key)).toBe(stage);
  });

  it("never coincide", () => {
    const all = odd.flatMap((key) => [value(key), index(key), call(key, "1")]).concat(stages);
    // The stage "" has all keys without a stage; no key "-/…" collides with it.
    expect(new Set(all).size).toBe(all.length);
    expect(value("-/a/b")).not.toBe(value("a/b"));
  });
});

describeWithRedis("slots", () => {
  it("are those that the server computes, one for all keys of a stage", async () => {
    const server = await startRedis({ cluster: true });
    const client = createClient({ url: server.url });
    try {
      await client.connect();
      for (const key of odd) {
        const stage = stageOf(key);
        const names = [value(key), index(stage), call(stage, "1")];
        const slots = await Promise.all(names.map((name) => client.sendCommand(["CLUSTER", "KEYSLOT", name])));
        expect(new Set(slots).size).toBe(1);
        expect(names.map(slotOf)).toEqual(slots);
      }
      for (const key of ["123456789", "{}", "a{}b", "{a", "a}b{c}"]) {
        expect(slotOf(key)).toBe(await client.sendCommand(["CLUSTER", "KEYSLOT", key]));
      }
    } finally {
      client.destroy();
      await server.stop();
    }
  });
});
