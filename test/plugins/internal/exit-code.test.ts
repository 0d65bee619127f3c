import { describe, expect, it } from "vitest";
import { EngineError, RunFailedError } from "../../../core/base/index.js";
import { exitCodeOf } from "../../../plugins/internal/process/process-end.js";

const locked = new EngineError("STATE_LOCKED", "Another run is at work.");
const moved = new EngineError("STATE_MOVED", "Another run was at work.");
const failed = new EngineError("HANDLER_FAILED", "No.");

describe("the exit code", () => {
  it.each<[string, number, readonly unknown[]]>([
    ["what failed", 1, [failed]],
    ["an error that is not the engine's", 1, [new Error("No."), "text", undefined]],
    ["STATE_LOCKED", 3, [locked]],
    ["STATE_MOVED", 3, [failed, moved]],
    ["RUN_FAILED because of a failure", 1, [new RunFailedError("shop/dev", [failed])]],
    ["RUN_FAILED because of STATE_MOVED", 3, [new RunFailedError("shop/dev", [failed, moved])]],
  ])("of %s is %i", (_what, code, errors) => {
    expect(exitCodeOf(errors)).toBe(code);
  });
});
