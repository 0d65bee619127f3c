import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EngineError, messageOf, RunFailedError } from "../../../core/errors.js";
import { readPlan } from "../../../core/plan/file.js";
import { describeError } from "../../../plugins/internal/describe-error.js";

describe("an error that nobody caught is described", () => {
  it("with its stack where it is not the engine's", () => {
    expect(describeError(new TypeError("No."))).toMatch(/^TypeError: No\.\n\s+at .*describe-error\.test\.ts/);
    expect(describeError("text")).toBe("'text'");
  });

  it("in one line where it is the engine's", () => {
    expect(describeError(new EngineError("STATE_MOVED", "The state has moved."))).toBe(
      "EngineError [STATE_MOVED]: The state has moved.",
    );
  });

  it("with the line of the program where that called the engine in a wrong way", () => {
    expect(describeError(new EngineError("INVALID_CALL", "It needs a function."))).toMatch(
      /^EngineError \[INVALID_CALL\]: It needs a function\.\n {4}at [^\n]*describe-error\.test\.ts[^\n]*$/,
    );
  });

  it("with the stack of what lies behind", () => {
    const error = new EngineError("HANDLER_FAILED", "create failed: No.", { cause: new Error("No.") });
    expect(describeError(error)).toMatch(
      /^EngineError \[HANDLER_FAILED\]: create failed: No\.\n {2}because: Error: No\.\n\s+at /,
    );
  });

  it("without causes that say nothing new", () => {
    const inner = new EngineError("INVALID_ARGUMENT", "Argument --stage needs a value.");
    const outer = new EngineError("INVALID_ARGUMENT", 'Plugin "cli-args" failed: Argument --stage needs a value.', {
      cause: inner,
    });
    expect(describeError(outer)).toBe(
      'EngineError [INVALID_ARGUMENT]: Plugin "cli-args" failed: Argument --stage needs a value.',
    );
  });

  it("without the library's own stack where the system refused it something, and with that of a handler", async () => {
    const absent = join(tmpdir(), "no", "such", "file");
    const error = await readPlan(absent).catch((reason: unknown) => reason);
    expect(describeError(error)).toMatch(
      /^EngineError \[INVALID_OPTION\]: The plan file .* cannot be read: ENOENT: .*$/,
    );
    const cause = await readFile(absent).catch((reason: unknown) => reason);
    const failed = new EngineError("HANDLER_FAILED", `create failed: ${messageOf(cause)}`, { cause });
    expect(describeError(failed)).toMatch(/\n {2}because: Error: ENOENT[^\n]*\n[\s\S]*describe-error\.test\.ts/);
  });

  it("with all errors of a run that failed, in its own message", () => {
    const errors = [new EngineError("HANDLER_FAILED", "One."), new Error("Two.")];
    expect(describeError(new RunFailedError("shop/dev", errors))).toBe(
      'RunFailedError [RUN_FAILED]: The run of "shop/dev" failed:\n  - One.\n  - Two.',
    );
  });
});
