/** A provider that ends is one error, whoever asked it. */
import { expect, test } from "vitest";
import { EngineError, RunFailedError } from "../../../core/base/index.js";
import { endedInRun } from "../../../plugins/cli/import/provider-ended.js";

const failed = (message: string) => new EngineError("PROVIDER_FAILED", message);

test("a provider that ends while many data sources are recorded is reported once, with the way on", () => {
  const all = Array.from({ length: 50 }, () => failed('The provider "a/b" was ended by SIGKILL.'));
  for (const error of [all[0], new RunFailedError("shop/dev", all)]) {
    const { code, message } = endedInRun(error) as EngineError;
    expect(code).toBe("PROVIDER_FAILED");
    expect(message.split("was ended by SIGKILL")).toHaveLength(2);
    expect(message).toContain("This command recorded nothing.");
    expect(message).toContain("Run the same command again.");
  }
});

test("a run that failed also for another reason keeps all of its errors", () => {
  const other = new EngineError("INVALID_PROPS", "no");
  const run = new RunFailedError("shop/dev", [failed("ended"), other]);
  expect(endedInRun(run)).toBe(run);
  expect(endedInRun(other)).toBe(other);
});
