import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { watchRealWaits } from "../../../plugins/testing/simulate/simulate.js";

/** Reports while `code` runs, up to its first wait. */
function toldOf(code: () => unknown): string[] {
  const told: string[] = [];
  const stop = watchRealWaits(
    () => true,
    (what, where) => told.push(`${what} at ${where.replace(/^.*\/([^/]+):\d+:\d+\)?$/, "$1")}`),
  );
  try {
    code();
  } finally {
    stop();
  }
  return told;
}

describe("watchRealWaits", () => {
  it("tells of timers and files, with the line that asks for them", () => {
    const here = "simulate-real-waits.test.ts";
    expect(toldOf(() => clearTimeout(setTimeout(() => {})))).toEqual([`a timer at ${here}`]);
    expect(toldOf(() => pause(0))).toEqual([`a timer at ${here}`]);
    expect(toldOf(() => AbortSignal.timeout(1))).toEqual([`a timer at ${here}`]);
    expect(toldOf(() => readFile("package.json"))).toEqual([`a file at ${here}`]);
  });

  it("tells nothing of promises, ticks, and what a console does with its lines", () => {
    const all = [
      () => Promise.resolve().then(() => {}),
      () => queueMicrotask(() => {}),
      () => process.nextTick(() => {}),
      () => structuredClone({ a: 1 }),
      // biome-ignore lint/suspicious/noConsole: what authors do while they look for a mistake.
      () => console.debug(),
    ];
    expect(all.flatMap(toldOf)).toEqual([]);
  });

  it("tells nothing once it was stopped, or of code that is not watched", () => {
    const told: string[] = [];
    const stop = watchRealWaits(
      () => false,
      (what) => told.push(what),
    );
    clearTimeout(setTimeout(() => {}));
    stop();
    clearTimeout(setTimeout(() => {}));
    expect(told).toEqual([]);
  });
});
