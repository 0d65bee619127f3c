import { describe, expect, test } from "vitest";
import type { EngineEvents } from "../../core/events.js";
import { NOTHING_DONE } from "../../core/vocabulary.js";
import { interruptedLines, isStopped, stoppedLine } from "../../plugins/console/failure-lines.js";
import { PLAIN } from "../../plugins/console/palette.js";
import { summaryLine } from "../../plugins/console/summary.js";

const note = { code: "ABORTED", causes: [], frames: [] };
const message = 'create of "shop/dev/a" failed: The run was interrupted by SIGINT.';
const ref = { kind: "K", id: "a", fqn: "shop/dev/a", action: "create" } as const;

function finished(counts: object): EngineEvents["run:finished"] {
  const summary = { ...NOTHING_DONE, ...counts };
  const by = { user: "ada", host: "here", pid: 1 };
  const run = { run: "1a", app: "shop", stage: "dev", phase: "up", planned: false, by } as const;
  return { ...run, ok: false, summary, duration: 5, errors: [] };
}

describe("what was at work when a run was interrupted", () => {
  test("has been stopped, and did not fail", () => {
    expect(isStopped({ ...note, message })).toBe(true);
    expect(stoppedLine({ ...ref, ...note, message }, PLAIN)).toBe("stopped  shop/dev/a  (K, create)");
  });

  test("is told once for all, with what to do", () => {
    const notes = [1, 2].map(() => ({ ...note, message }));
    expect(interruptedLines(notes, PLAIN)).toEqual([
      "",
      "The run was interrupted by SIGINT. Run again: what was done is kept.",
    ]);
    expect(interruptedLines([], PLAIN)).toEqual([]);
  });

  test("is counted apart from failures", () => {
    expect(summaryLine(finished({ created: 1, failed: 3 }), 2, PLAIN)).toBe(
      "shop/dev up FAILED in 5 ms: 1 created, 1 failed, 2 stopped",
    );
    expect(summaryLine(finished({ failed: 2 }), 2, PLAIN)).toBe("shop/dev up INTERRUPTED in 5 ms: 2 stopped");
  });

  test("is not what was aborted for another reason", () => {
    expect(isStopped({ ...note, message: "The program ended with an error." })).toBe(false);
    expect(isStopped({ ...note, code: "HANDLER_FAILED", message })).toBe(false);
  });
});
