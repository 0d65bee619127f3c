import { describe, expect, it } from "vitest";
import { whenFree, whenFreeNow } from "../../../core/base/index.js";

/** Fails as often as given, like a file that a virus scanner has open. */
function held(times: number, code = "EPERM") {
  let calls = 0;
  return {
    act(): string {
      if (++calls <= times) throw Object.assign(new Error(`${code}: operation not permitted, rename`), { code });
      return `done in ${calls}`;
    },
    calls: () => calls,
  };
}

describe.each([
  ["whenFree()", async (act: () => string, platform: NodeJS.Platform) => whenFree(async () => act(), platform)],
  ["whenFreeNow()", async (act: () => string, platform: NodeJS.Platform) => whenFreeNow(act, platform)],
] as const)("%s", (_name, run) => {
  it.each(["EPERM", "EACCES", "EBUSY"])(
    "retries on Windows until another program releases the file: %s",
    async (code) => {
      await expect(run(held(4, code).act, "win32")).resolves.toBe("done in 5");
    },
  );

  it("does not elsewhere, where these errors last", async () => {
    for (const platform of ["linux", "darwin"] as const) {
      const file = held(1);
      await expect(run(file.act, platform)).rejects.toMatchObject({ code: "EPERM" });
      expect(file.calls()).toBe(1);
    }
  });

  it("does not for any other error", async () => {
    const file = held(1, "ENOSPC");
    await expect(run(file.act, "win32")).rejects.toMatchObject({ code: "ENOSPC" });
    expect(file.calls()).toBe(1);
  });
});

it("gives up what is held for good, with its error", async () => {
  const file = held(Number.POSITIVE_INFINITY);
  expect(() => whenFreeNow(file.act, "win32")).toThrow("EPERM");
  expect(file.calls()).toBeGreaterThan(5);
});
