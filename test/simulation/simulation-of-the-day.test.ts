/** In a file of its own: two of them run beside each other. */
import { expect, test } from "vitest";
import { seedOfTheDay, seedsFrom } from "./seeds.ts";
import { failures } from "./suite.ts";

test("a stage loses nothing and converges on its declarations, in the histories of the day", {
  timeout: 1_800_000,
}, async () => {
  expect(await failures(seedsFrom(seedOfTheDay(), 60))).toEqual([]);
});

test("a stage keeps every promise of the guide in the histories of the day among users", {
  timeout: 1_800_000,
}, async () => {
  expect(await failures(seedsFrom(seedOfTheDay(), 30), "users")).toEqual([]);
});
