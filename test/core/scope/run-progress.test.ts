import { describe, expect, it } from "vitest";
import { RunProgress } from "../../../core/run/index.js";
import type { RunState } from "../../../core/run/scope-runs.js";

const ORDER: readonly RunState[] = ["opening", "open", "settling", "pruning", "closing", "closed"];

describe("RunProgress", () => {
  it("has come as far as each state that it has passed, and no further", () => {
    const progress = new RunProgress();
    for (const [index, state] of ORDER.entries()) {
      progress.advance(state);
      expect(progress.state).toBe(state);
      expect(ORDER.filter((one) => progress.has(one))).toEqual(ORDER.slice(0, index + 1));
    }
  });

  it("never goes back", () => {
    for (const [index, state] of ORDER.entries()) {
      for (const earlier of ORDER.slice(0, index)) {
        const progress = new RunProgress();
        progress.advance(state);
        expect(() => progress.advance(earlier)).toThrow(`A run that is ${state} cannot be ${earlier} again.`);
        expect(progress.state).toBe(state);
      }
    }
  });

  it("is not opened by a start that failed before the state was loaded", () => {
    const progress = new RunProgress();
    progress.advance("closed");
    expect(progress.hasOpened).toBe(false);
    expect(progress.has("open")).toBe(true);
  });

  it("closes the record of a stage that is destroyed before the program has run, which then goes on", () => {
    const progress = new RunProgress();
    progress.advance("open");
    expect([progress.isDestroyed, progress.isRecordClosed]).toEqual([false, false]);
    progress.destroy();
    expect([progress.isDestroyed, progress.isRecordClosed]).toEqual([true, false]);
    progress.closeRecord();
    expect([progress.isDestroyed, progress.isRecordClosed]).toEqual([true, true]);
    progress.advance("settling");
    expect(progress.has("pruning")).toBe(false);
    expect(progress.isRecordClosed).toBe(true);
  });

  it("closes the record of every run with its end", () => {
    const progress = new RunProgress();
    progress.advance("open");
    progress.advance("pruning");
    expect(progress.isRecordClosed).toBe(false);
    progress.advance("closing");
    expect(progress.isRecordClosed).toBe(true);
  });
});
