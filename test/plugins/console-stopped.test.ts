import { describe, expect, test } from "vitest";
import { NOTHING_DONE } from "../../core/base/index.js";
import type { EngineEvents } from "../../core/contract/index.js";
import { interruptedLines, isInterruption, stoppedLine } from "../../plugins/console-output/failure-lines.js";
import { summaryLine } from "../../plugins/console-output/run-lines.js";
import { PLAIN } from "../../plugins/console-output/theme.js";

const note = { code: "ABORTED", causes: [], frames: [] };
const message = "The run was interrupted by SIGINT.";
const ref = { kind: "K", id: "a", fqn: "shop/dev/a", action: "create" } as const;

function finished(counts: object, interrupted = true): EngineEvents["run:finished"] {
  const summary = { ...NOTHING_DONE, ...counts };
  const by = { user: "ada", host: "here", pid: 1 };
  const run = { run: "1a", app: "shop", stage: "dev", phase: "up", planned: false, by } as const;
  return { ...run, ok: false, interrupted, summary, duration: 5, errors: [] };
}

describe("a handler that was running when the run was interrupted", () => {
  test("has been stopped, and did not fail", () => {
    expect(stoppedLine(ref, PLAIN)).toBe("stopped  shop/dev/a  (K, create)");
  });

  test("is reported once for all, with what to do", () => {
    const notes = [1, 2].map(() => ({ ...note, message }));
    expect(interruptedLines(notes, PLAIN)).toEqual([
      "",
      "The run was interrupted by SIGINT. Run again: completed changes are kept.",
    ]);
    expect(interruptedLines([], PLAIN)).toEqual([]);
  });

  test("is counted apart from failures", () => {
    expect(summaryLine(finished({ created: 1, failed: 1, stopped: 2 }, false), PLAIN)).toBe(
      "shop/dev up FAILED in 5 ms: 1 created, 1 failed, 2 stopped",
    );
    expect(summaryLine(finished({ stopped: 2, notBegun: 3 }), PLAIN)).toBe(
      "shop/dev up INTERRUPTED in 5 ms: 2 stopped, 3 not begun",
    );
    expect(summaryLine(finished({ notBegun: 3 }, false), PLAIN)).toBe("shop/dev up FAILED in 5 ms: 3 not begun");
  });

  test("is not what was aborted for a reason of its own", () => {
    expect(isInterruption({ ...note, message })).toBe(true);
    expect(isInterruption({ ...note, message: "It was not applied.", fqn: "shop/dev/a" })).toBe(false);
    expect(isInterruption({ ...note, code: "HANDLER_FAILED", message })).toBe(false);
  });
});
