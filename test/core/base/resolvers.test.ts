import { describe, expect, it } from "vitest";
import { withResolvers } from "../../../core/base/index.js";
import { rejection } from "../../helpers/apps/apps.ts";

describe("withResolvers()", () => {
  it("gives a promise that is settled from outside, once", async () => {
    const { promise, resolve, reject } = withResolvers<number>();
    resolve(1);
    reject(new Error("too late"));
    expect(await promise).toBe(1);
  });

  it("waits for a promise that it is resolved with", async () => {
    const { promise, resolve } = withResolvers<number>();
    const no = new Error("No.");
    resolve(Promise.reject(no));
    expect(await rejection(promise)).toBe(no);
  });
});
