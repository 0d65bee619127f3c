import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import type { Running, Snapshot } from "../../plugins/console-output/activity.js";
import { frameLines } from "../../plugins/console-output/live.js";
import { loadTheme, plainTheme } from "../../plugins/console-output/theme.js";

const look = plainTheme();
await loadTheme(look, { out: false, err: false, isTerminal: true });
const idle: Snapshot = {
  running: [],
  waiting: undefined,
  reading: undefined,
  isLoading: false,
  done: 0,
  failed: 0,
  queued: 0,
  isInterrupted: false,
};
const running = (fqn: string, given: Partial<Running> = {}): Running => ({ fqn, action: "create", since: 0, ...given });

const frame = (snapshot: Partial<Snapshot>, size = { columns: 60, rows: 12 }, now = 65_000): readonly string[] =>
  frameLines({ title: "shop/dev up", snapshot: { ...idle, ...snapshot }, elapsed: now, now }, size, look);

describe("the live lines of a run", () => {
  it("say what it is doing before anything is at work", () => {
    expect(frame({ isLoading: true }, undefined, 400)).toEqual(["shop/dev up: reading the state, 0 s"]);
    expect(frame({ reading: { done: 120, total: 400, since: 0 } })).toEqual([
      "shop/dev up: checking 120 of 400, 1 min 5 s",
    ]);
  });

  it("say for whom it waits, and for how long", () => {
    expect(frame({ isLoading: true, waiting: { owner: "ada@here (process 1)", since: 5_000 } })).toEqual([
      "shop/dev up: 1 min 5 s",
      "  waiting 1 min 0 s for ada@here (process 1)",
    ]);
  });

  it("say what failed so far, and which call comes next", () => {
    const retry = { attempt: 2, attempts: 3, at: 67_500 };
    expect(frame({ failed: 1, done: 4, running: [running("shop/dev/a", { action: "delete", retry })] })).toEqual([
      "shop/dev up: 4 done, 1 failed, 1 running, 1 min 5 s",
      "  delete  1 min 5 s  shop/dev/a  call 2 of 3 in 3 s",
    ]);
  });

  it("say how many wait for their turn", () => {
    expect(frame({ queued: 52, done: 4, running: [running("shop/dev/a")] })[0]).toBe(
      "shop/dev up: 4 done, 1 running, 52 waiting, 1 min 5 s",
    );
  });

  it("say that the run is interrupted, and how much is not begun", () => {
    const snapshot = { queued: 52, isInterrupted: true, done: 4, running: [running("shop/dev/a")] };
    expect(frame(snapshot, { columns: 90, rows: 12 })[0]).toBe(
      "shop/dev up: INTERRUPTED, 4 done, 1 running, 52 not begun, 1 min 5 s",
    );
  });

  it("take a third of the screen at most, and two lines at least", () => {
    const many = Array.from({ length: 9 }, (_, index) => running(`shop/dev/${index}`));
    expect(frame({ running: many })).toHaveLength(4);
    expect(frame({ running: many }).at(-1)).toBe("  and 7 more");
    expect(frame({ running: many.slice(0, 3) }).at(-1)).toContain("shop/dev/2");
    expect(frame({ running: many }, { columns: 60, rows: 3 })).toEqual([
      "shop/dev up: 9 running, 1 min 5 s",
      "  and 9 more",
    ]);
  });

  it.each([200, 60, 39, 20, 10, 4, 2, 1])("are never wider than a terminal of %i columns", (columns) => {
    const names = ["shop/dev/a", `shop/dev/${"日本語".repeat(40)}`, `shop/dev/${"👩‍👩‍👧".repeat(40)}`, "x".repeat(300)];
    const retry = { attempt: 2, attempts: 3, at: 67_500 };
    const all = names.flatMap((name) => [running(name), running(name, { retry })]);
    const waiting = { owner: "somebody@with-a-very-long-host-name.example.com (process 1)", since: 0 };
    const lines = frame({ running: all, waiting, done: 100_000, failed: 3 }, { columns, rows: 60 });
    expect(lines).toHaveLength(10);
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(Math.max(1, columns - 1));
  });

  it("show both ends of a name that is too long", () => {
    const [, line] = frame({ running: [running(`shop/dev/${"x".repeat(90)}/the-end`)] });
    expect(line).toMatch(/shop\/dev\/x+…x+\/the-end$/);
  });
});
