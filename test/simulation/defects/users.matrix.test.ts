import { describe, expect, test } from "vitest";
import { SAMPLE_OF_USERS, seedsFrom } from "../seeds.ts";
import { hunt } from "./hunt.ts";
import { userDefects } from "./users.ts";

/** Number of histories that are searched for a new member of the sample, if the sample does not find the defect. */
const MOST = 2_000;
const timeout = 3_600_000;

describe("a sample of the histories of the world of users", () => {
  test("find nothing if nothing was planted", { timeout }, async () => {
    expect(await hunt(undefined, SAMPLE_OF_USERS, "users")).toBeUndefined();
  });

  test.each(userDefects)("find a defect: $name", { timeout }, async (defect) => {
    if (await hunt(defect, SAMPLE_OF_USERS, "users")) return;
    const later = await hunt(defect, seedsFrom(1, MOST), "users");
    expect.fail(`none of them goes wrong, but this one: ${later?.seed}`);
  });
});
