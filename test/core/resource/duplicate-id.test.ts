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

  it("of an id that is declared already, after so many that their places are not kept, names the second place", async () => {
    await open();
    const { Thing } = newThings();
    const all = Array.from({ length: 1_001 }, (_, index) => Thing(`t${index}`));
    expect(() => Thing("t1000")).toThrow(
      /first at an unknown place \(places are kept only for the first 1000 declarations\)\n {2}again at .*duplicate-id\.test\.ts:\d+/,
    );
    expect(() => Thing("t999")).toThrow(/first at .*duplicate-id\.test\.ts:\d+/);
    await Promise.all(all);
  });
});
