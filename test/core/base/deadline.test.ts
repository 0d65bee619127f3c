import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withDeadline, withResolvers } from "../../../core/base/index.js";
import { rejection } from "../../helpers/apps/apps.ts";

const late = new Error("Late.");

describe("withDeadline()", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("gives what the work gives, and leaves no timer behind", async () => {
    expect(await withDeadline(1_000, Promise.resolve("done"), () => late)).toBe("done");
    const no = new Error("No.");
    expect(await rejection(withDeadline(1_000, Promise.reject(no), () => late))).toBe(no);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("rejects when the time is up, and not before", async () => {
    const { promise, resolve } = withResolvers<void>();
    const asked: string[] = [];
    const outcome = rejection(
      withDeadline(1_000, promise, () => {
        asked.push("late");
        return late;
      }),
    );
    await vi.advanceTimersByTimeAsync(999);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toBe(late);
    resolve();
    expect(asked).toEqual(["late"]);
  });

  it("ignores work that fails after that: it is not an unhandled rejection", async () => {
    const { promise, reject } = withResolvers<void>();
    const outcome = rejection(withDeadline(1, promise, () => late));
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toBe(late);
    const unhandled: unknown[] = [];
    const hear = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", hear);
    reject(new Error("No."));
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", hear);
    expect(unhandled).toEqual([]);
  });
});
