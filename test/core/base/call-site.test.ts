import { afterEach, expect, test } from "vitest";
import { callSiteOf, callSiteText } from "../../../core/base/index.js";

const { prepareStackTrace } = Error;
afterEach(() => {
  Error.prepareStackTrace = prepareStackTrace;
});

test("a declaration fails where a module has set a way to print stacks that accepts errors only", () => {
  Error.prepareStackTrace = (error, frames) => {
    if (!(error instanceof Error)) throw new TypeError("First argument must be an Error object");
    return frames.join("\n");
  };
  const { stackTraceLimit } = Error;
  const declare = (): string => callSiteText(callSiteOf(declare));
  expect(declare()).toBe("somewhere");
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});
