import { describe, expect, test } from "vitest";
import { live } from "./live.ts";
import { historyOf } from "./random-history.ts";
import { SAMPLE, SAMPLE_OF_MOVES, SAMPLE_OF_USERS } from "./seeds.ts";
import { failures } from "./suite.ts";

describe("a stage, with any edits of its program, any deployers and any faults meanwhile", () => {
  test("loses nothing and converges on its declarations, in histories that are the same for ever", {
    timeout: 1_800_000,
  }, async () => {
    expect(await failures(SAMPLE)).toEqual([]);
  });

  test("keeps every promise of the guide among services that refuse, lag and answer late", {
    timeout: 1_800_000,
  }, async () => {
    expect(await failures(SAMPLE_OF_USERS, "users")).toEqual([]);
  });
});

describe("two stages, between which records move while their programs run", () => {
  test("lose nothing, own nothing twice, and find their resources as they were", { timeout: 1_800_000 }, async () => {
    expect(await failures(SAMPLE_OF_MOVES, "moves")).toEqual([]);
  });
});

describe("a history", () => {
  test("is the same to the byte whenever it is lived through", async () => {
    for (const seed of [3, 76, 133, 260, 329, 2588]) {
      const [one, other] = [await live(historyOf(seed)), await live(historyOf(seed))];
      expect(one.trace.length).toBeGreaterThan(3);
      expect(other.trace).toEqual(one.trace);
    }
  });
});
