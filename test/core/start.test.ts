import { describe, expect, it } from "vitest";
import { Start } from "../../core/engine/start.js";
import { rejection } from "../helpers/apps/apps.ts";
import { gate, quiet } from "../helpers/time/gate.js";

describe("the start of a run", () => {
  it("is over when its work is done", async () => {
    const work = gate();
    const start = new Start(() => work.opened, true);
    expect(start.isOpening).toBe(true);
    work.open();
    await start.over;
    expect(start.isOpening).toBe(false);
  });

  it("that fails rejects for those who look, and ends no process", async () => {
    const why = new Error("no state");
    const start = new Start(() => Promise.reject(why), true);
    await quiet();
    expect([await rejection(start.work), await rejection(start.over)]).toEqual([why, why]);
    expect(start.isOpening).toBe(false);
  });

  it("that is withheld is over when it is released", async () => {
    const [work, letGo] = [gate(), gate()];
    const start = new Start(() => work.opened, true);
    let isOver = false;
    void start.over.then(() => {
      isOver = true;
    });
    expect(start.withhold(letGo.opened)).toBe(true);
    work.open();
    await quiet();
    expect([start.isOpening, start.isWithheld, isOver]).toEqual([false, true, false]);
    letGo.open();
    await quiet();
    expect([start.isWithheld, isOver]).toEqual([false, true]);
  });

  it("cannot be withheld once its work is done, nor in a later generation", async () => {
    const done = new Start(() => Promise.resolve(), true);
    await done.over;
    expect(done.withhold(Promise.resolve())).toBe(false);
    expect(new Start(() => new Promise(() => {}), false).withhold(Promise.resolve())).toBe(false);
  });
});
