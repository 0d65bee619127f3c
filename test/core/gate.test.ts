import { describe, expect, test } from "vitest";
import { Gate } from "../../core/gate.js";

describe("the gate", () => {
  test("is open where there is nothing to check, and checks nothing before somebody wants to pass", () => {
    const gate = new Gate();
    expect(gate.pass()).toBeUndefined();
    let checks = 0;
    gate.add(async () => checks++);
    expect(checks).toBe(0);
  });

  test("makes each check once, holds all that come meanwhile, and is open again", async () => {
    const gate = new Gate();
    let checks = 0;
    gate.add(async () => checks++);
    await Promise.all([gate.pass(), gate.pass()]);
    expect(checks).toBe(1);
    expect(gate.pass()).toBeUndefined();
    gate.add(async () => checks++);
    await gate.pass();
    expect(checks).toBe(2);
  });

  test("stays shut once a check has failed, also where others are added", async () => {
    const gate = new Gate();
    gate.add(() => Promise.reject(new Error("no")));
    await expect(gate.pass()).rejects.toThrow("no");
    gate.add(async () => {});
    await expect(gate.pass()).rejects.toThrow("no");
    await expect(gate.pass()).rejects.toThrow("no");
  });

  test("stays shut where a check throws instead of rejecting", async () => {
    const gate = new Gate();
    gate.add(() => {
      throw new Error("no");
    });
    for (const _attempt of [1, 2]) await expect(gate.pass()).rejects.toThrow("no");
  });
});
