import { describe, expect, it } from "vitest";
import { testApps } from "../../helpers/apps/apps.ts";
import { newThings } from "../../helpers/apps/things.ts";

const { open } = testApps();

describe("a declaration", () => {
  it("of an id that is declared already is DUPLICATE_ID, naming both places", async () => {
    await open();
    const { Thing, calls } = newThings();
    const first = Thing("a");
    expect(() => Thing("a")).toThrow(
      expect.objectContaining({
        code: "DUPLICATE_ID",
        fqn: "shop/dev/a",
        message: expect.stringMatching(
          /first at .*duplicate-id\.test\.ts:\d+:\d+\)?\n {2}again at .*duplicate-id\.test\.ts:\d+:\d+/,
        ),
      }),
    );
    await first;
    expect(calls).toEqual(["create shop/dev/a"]);
  });
});
