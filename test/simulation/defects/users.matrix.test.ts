import { describe, expect, test } from "vitest";
import { seedsFrom } from "../seeds.ts";
import { hunt } from "./hunt.ts";
import { userDefects } from "./users.ts";

const MOST = 2_000;
const timeout = 3_600_000;

describe("histories of the world of users", () => {
  test.each(userDefects)("find a defect: $name", { timeout }, async (defect) => {
    expect(await hunt(defect, seedsFrom(1, MOST), "users")).toBeDefined();
  });
});
