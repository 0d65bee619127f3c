/** A deployer that is asleep while another takes its stage over, and wakes. */
import { readdir } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { makeTestBucket } from "../helpers/s3-store.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { describeWithS3 } from "../servers/given-s3.js";
import { module, STORES } from "./contention-remote.js";
import { contentionStage } from "./contention-stage.js";

const patient = { timeout: 60_000 };
const TTL = 1_000;

function wakes(name: keyof typeof STORES): void {
  const stage = contentionStage();

  const content = async (): Promise<Record<string, string>> => {
    const store = STORES[name](stage.place.location);
    const found: Record<string, string> = {};
    // Signs of life come and go.
    for await (const [key, value] of store.iterator()) if (!key.includes("/lease/")) found[key] = value;
    await store.close?.();
    return found;
  };

  it.each([
    ["is done", false],
    ["is at work", true],
  ])("writes nothing, and is told so, while the other %s", patient, async (_what, holds) => {
    const sleeper = await stage.start({ module, name }, { machine: "a", ttl: TTL });
    const other = await stage.start({ module, name }, { machine: "b", ttl: TTL });
    await sleeper.hold();
    sleeper.signal("SIGSTOP");
    if (holds) await other.hold();
    else expect(await other.run(1)).toBe(true);
    const before = await content();
    expect(Object.keys(before).length).toBeGreaterThan(2);

    sleeper.signal("SIGCONT");
    // Its handler comes to its end, and that cannot be recorded.
    sleeper.order("release");
    const { code, stderr } = await sleeper.ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("Another run has taken over") });
    expect(await content()).toEqual(before);
    const files = await readdir(stage.place.cwd);
    expect(files.filter((file) => file.startsWith("engine-recovery"))).toHaveLength(1);
  });
}

describe("a deployer that wakes after a takeover", () => {
  describeWithS3("in S3", () => {
    beforeAll(() => makeTestBucket());
    wakes("s3");
  });
  describeWithRedis("in Redis", () => wakes("redis"));
});
