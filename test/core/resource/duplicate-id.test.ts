import { describe, expect, it } from "vitest";
import { testApps } from "../../helpers/apps.ts";
import { newThings } from "../../helpers/things.ts";

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

  it("of an id after the first 250 declarations says that nobody has noted the first place", async () => {
    await open();
    const { Thing } = newThings();
    const all = Array.from({ length: 251 }, (_, at) => Thing(`r${at}`));
    expect(() => Thing("r249")).toThrow(/first at .*duplicate-id\.test\.ts/);
    expect(() => Thing("r250")).toThrow(
      /first at a place that was not noted, as after the first 250 none is\n {2}again at .*duplicate-id\.test\.ts:\d+/,
    );
    await Promise.all(all);
  });
});
