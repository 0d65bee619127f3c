/** A provider's resources after its process ended, its version changed, or it was interrupted. */
import { describe, expect, test } from "vitest";
import { until } from "../../../helpers/time/until.js";
import { fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();

describe("a provider whose process ends", () => {
  test("is started again, once", async () => {
    const fixtures = await made();
    const { stage, fixture, world } = fixtures;
    const program = async () => {
      const { behaviour, thing } = fixture();
      await Promise.allSettled([behaviour!("dies", { name: "a", onCreate: "exit" })]);
      await thing!("one", { name: "first" });
      await Promise.allSettled([behaviour!("again", { name: "b", onCreate: "exit" })]);
      await thing!("two", { name: "second" });
    };
    const failures = await stage.failures(program);
    expect(failures).toMatchObject([
      { code: "PROVIDER_FAILED", fqn: "app/dev/dies", message: expect.stringContaining("it was told to exit") },
      { code: "PROVIDER_FAILED", fqn: "app/dev/again" },
      { code: "PROVIDER_FAILED", fqn: "app/dev/two" },
    ]);
    expect([fixtures.started, world.all("fixture_thing")]).toMatchObject([2, [{ name: "first" }]]);
  });
});

describe("what an older version of a provider has made", () => {
  test("is passed to the newer one with its former names, and updated, not replaced", async () => {
    const { stage, fixture, before, world, asked } = await made();
    await stage.up(() => before.fixture().versioned!("one", { title: "first", size: "12" }));
    const [{ id } = { id: "" }] = world.all("fixture_versioned");
    asked();
    await stage.up(() => fixture().versioned!("one", { name: "first", size: 13 }));
    expect(asked()).toContain("UpgradeResourceState");
    expect(stage.summary).toMatchObject({ updated: 1 });
    expect(world.all("fixture_versioned")).toMatchObject([{ id, name: "first", size: 13 }]);
  });

  test("is deleted by the newer one", async () => {
    const { stage, fixture, before, world } = await made();
    await stage.up(() => before.fixture().versioned!("one", { title: "first" }));
    await stage.up(() => void fixture());
    expect(world.all("fixture_versioned")).toEqual([]);
  });

  test("is not touched by an older one than has made it", async () => {
    const { stage, fixture, before, world } = await made();
    await stage.up(() => fixture().versioned!("one", { name: "first" }));
    const failures = await stage.failures(() => before.fixture().versioned!("one", { title: "second" }));
    expect(failures).toMatchObject([
      { code: "PROVIDER_FAILED", message: expect.stringContaining("was recorded by a newer version of test/fixture") },
    ]);
    expect(world.all("fixture_versioned")).toMatchObject([{ name: "first" }]);
  });
});

test("a create that is interrupted is asked to stop, and an object that it still created is recorded", async () => {
  const { stage, fixture, world, asked } = await made();
  const stop = new AbortController();
  const running = stage.failures(() => fixture().timeouts!("one", { name: "a", milliseconds: 4_000 }), {
    signal: stop.signal,
  });
  const told: string[] = [];
  await until(() => told.push(...asked()) > 0 && told.includes("ApplyResourceChange"));
  stop.abort();
  expect(await running).toMatchObject([{ code: "ABORTED" }]);
  expect(asked().some((rpc) => rpc.startsWith("Stop"))).toBe(true);
  expect(world.all("fixture_timeouts")).toHaveLength(1);
  await stage.up(() => fixture().timeouts!("one", { name: "a", milliseconds: 4_000 }));
  expect([stage.summary.unchanged, world.all("fixture_timeouts").length]).toEqual([2, 1]);
});
