import { describe, expect, test } from "vitest";
import { Preflight } from "../../core/base/index.js";
import { gate, quiet } from "../helpers/time/gate.ts";

describe("the preflight", () => {
  test("is open if there is nothing to check, and checks nothing before the first caller", () => {
    const gate = new Preflight();
    expect(gate.run()).toBeUndefined();
    let checks = 0;
    gate.add(async () => checks++);
    expect(checks).toBe(0);
  });

  test("makes each check once, holds all that come meanwhile, and is open again", async () => {
    const gate = new Preflight();
    let checks = 0;
    gate.add(async () => checks++);
    await Promise.all([gate.run(), gate.run()]);
    expect(checks).toBe(1);
    expect(gate.run()).toBeUndefined();
    gate.add(async () => checks++);
    await gate.run();
    expect(checks).toBe(2);
  });

  test("stays shut once a check has failed, also where others are added", async () => {
    const gate = new Preflight();
    gate.add(() => Promise.reject(new Error("no")));
    await expect(gate.run()).rejects.toThrow("no");
    gate.add(async () => {});
    await expect(gate.run()).rejects.toThrow("no");
    await expect(gate.run()).rejects.toThrow("no");
  });

  test("stays shut where a check throws instead of rejecting", async () => {
    const gate = new Preflight();
    gate.add(() => {
      throw new Error("no");
    });
    for (const _attempt of [1, 2]) await expect(gate.run()).rejects.toThrow("no");
  });

  test("lets those pass who only look, without a check that is made of changes alone", async () => {
    const gate = new Preflight();
    const made: string[] = [];
    gate.add(async () => made.push("all"));
    gate.add(() => Promise.reject(new Error("locked")), { forReads: false });
    await gate.run({ isRead: true });
    expect(made).toEqual(["all"]);
    expect(gate.run({ isRead: true })).toBeUndefined();
    for (const _attempt of [1, 2]) await expect(gate.run()).rejects.toThrow("locked");
    expect(gate.run({ isRead: true })).toBeUndefined();
    expect(made).toEqual(["all"]);
  });

  test("is shut for those who only look, too, where a check of everything has failed", async () => {
    const gate = new Preflight();
    let checks = 0;
    gate.add(() => Promise.reject(new Error("no")));
    gate.add(async () => checks++, { forReads: false });
    await expect(gate.run({ isRead: true })).rejects.toThrow("no");
    expect(checks).toBe(0);
    await expect(gate.run()).rejects.toThrow("no");
  });

  test.each([0, 1])("waits for both kinds of checks before a change, whichever is made first (%d)", async (first) => {
    const passage = new Preflight();
    const checks = [gate(), gate()] as const;
    passage.add(() => checks[0].opened);
    passage.add(() => checks[1].opened, { forReads: false });
    let isOpen = false;
    const passing = passage.run()?.then(() => {
      isOpen = true;
    });
    checks[first === 0 ? 0 : 1].open();
    await quiet();
    expect(isOpen).toBe(false);
    checks[first === 0 ? 1 : 0].open();
    await passing;
    expect(isOpen).toBe(true);
    expect(passage.run()).toBeUndefined();
  });
});
