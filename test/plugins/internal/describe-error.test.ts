import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EngineError, messageOf, RunFailedError } from "../../../core/base/index.js";
import { describeError } from "../../../plugins/internal/text/describe-error.js";
import { readPlan } from "../../../plugins/plan/file.js";

const HERE = /\n {13}at [^\n]*describe-error\.test\.ts[^\n]*$/;

describe("an uncaught error is described", () => {
  it("by its name and message, and the program's own line", () => {
    const text = describeError(new TypeError("No."));
    expect(text).toMatch(/^error {4}TypeError: No\.\n/);
    expect(text).toMatch(HERE);
    expect(text.split("\n")).toHaveLength(2);
    expect(describeError("text")).toBe("error    text");
  });

  it("with its whole stack on request", () => {
    expect(describeError(new TypeError("No."), true)).toMatch(/^error {4}TypeError: No\.\n( {4}at .*\n){2}/);
  });

  it("with where Node found that a file is none of the language", async () => {
    const broken = await import(String("data:text/javascript,let let")).catch((error: unknown) => error);
    const text = describeError(broken);
    expect(text).toContain("SyntaxError: ");
    expect(text).not.toContain("\n             at ");
  });

  it("in one line where it is the engine's", () => {
    expect(describeError(new EngineError("STATE_MOVED", "The state has moved."))).toBe(
      "error    The state has moved. [STATE_MOVED]",
    );
  });

  it("with the line of the program where that called the engine in a wrong way", () => {
    const text = describeError(new EngineError("INVALID_CALL", "It needs a function."));
    expect(text).toMatch(/^error {4}It needs a function\. \[INVALID_CALL\]\n/);
    expect(text).toMatch(HERE);
    expect(describeError(new EngineError("INVALID_DEFINITION", "It is no type."))).toMatch(HERE);
  });

  it("with what lies behind, where that says something new, and without the stack of a driver", () => {
    const cause = new Error("socket hang up");
    cause.stack = "Error: socket hang up\n    at send (/app/node_modules/sdk/send.js:1:1)\n    at node:net:1:1";
    const error = new EngineError("STORE_FAILED", "Could not list.", { cause });
    expect(describeError(error)).toBe(
      "error    Could not list. [STORE_FAILED]\n         because: Error: socket hang up",
    );
    const told = new EngineError("STORE_FAILED", "Could not list: socket hang up.", { cause });
    expect(describeError(told)).toBe("error    Could not list: socket hang up. [STORE_FAILED]");
  });

  it("without where a package was looked for in vain", () => {
    const cause = new Error("Cannot find package 'x' imported from /app/.x.mjs");
    expect(describeError(new EngineError("PACKAGE_MISSING", "Install it.", { cause }))).not.toContain("because");
  });

  it("without causes that say nothing new", () => {
    const inner = new EngineError("INVALID_ARGUMENT", "Argument --stage needs a value.");
    const outer = new EngineError("INVALID_ARGUMENT", 'Plugin "cli-args" failed: Argument --stage needs a value.', {
      cause: inner,
    });
    expect(describeError(outer)).toBe(
      'error    Plugin "cli-args" failed: Argument --stage needs a value. [INVALID_ARGUMENT]',
    );
  });

  it("without the library's own line where the system refused it something, and with that of a handler", async () => {
    const absent = join(tmpdir(), "no", "such", "file");
    const error = await readPlan(absent).catch((reason: unknown) => reason);
    expect(describeError(error)).toMatch(/^error {4}The plan file .* cannot be read: ENOENT: .*\[INVALID_OPTION\]$/);
    const cause = await readFile(absent).catch((reason: unknown) => reason);
    const failed = new EngineError("HANDLER_FAILED", `create failed: ${messageOf(cause)}`, { cause });
    expect(describeError(failed)).toMatch(HERE);
  });

  it("with all errors of a run that failed, in its own message", () => {
    const errors = [new EngineError("HANDLER_FAILED", "One."), new Error("Two.")];
    expect(describeError(new RunFailedError("shop/dev", errors))).toBe(
      'error    The run of "shop/dev" failed:\n           - One.\n           - Two.',
    );
  });
});
