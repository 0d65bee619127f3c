import { describe, expect, it } from "vitest";
import { withTimeout } from "../../adapters/kit/retry.js";

const refused = (): Error =>
  Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:6379"), { code: "ECONNREFUSED", syscall: "connect" });

/** Fails with this error once the time is up. */
const endsWith = (error: (reason: unknown) => unknown) => (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(error(signal.reason))));

describe("an attempt whose time is up", () => {
  it("says what the system has reported of it meanwhile", async () => {
    const error = refused();
    await expect(
      withTimeout(
        5,
        endsWith(() => error),
      ),
    ).rejects.toMatchObject({
      name: "TimeoutError",
      message: "no answer within 5 ms (connect ECONNREFUSED 127.0.0.1:6379)",
      cause: error,
    });
  });

  it.each([
    ["it says that it was aborted", endsWith((reason) => reason)],
    ["it fails in its own words", endsWith(() => new Error("Request aborted"))],
    ["it takes no notice", () => new Promise<never>(() => {})],
  ])("says no more where %s", async (_, act) => {
    await expect(withTimeout(5, act)).rejects.toMatchObject({ name: "TimeoutError", message: "no answer within 5 ms" });
  });

  it("is absent if the work fails before", async () => {
    const error = refused();
    await expect(withTimeout(60_000, () => Promise.reject(error))).rejects.toBe(error);
  });
});
