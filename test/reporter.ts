/** Tells test/run.mjs, which has started this run, of each test that fails and each file that ends, at once. */
import { relative } from "node:path";
import type { Reporter, SerializedError, TestCase, TestModule, TestSpecification } from "vitest/node";

const LENGTH = 2_000;

export default class implements Reporter {
  onTestRunStart(files: readonly TestSpecification[]): void {
    // Waiting for what the other one may say keeps no process alive.
    process.channel?.unref();
    tell({ type: "files", files: files.map(({ moduleId }) => named(moduleId)) });
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state === "passed") tell({ type: "passed" });
    if (state === "failed") fail(`${named(test.module.moduleId)}: ${test.fullName}`, errors ?? []);
  }

  onTestModuleEnd(module: TestModule): void {
    const tests = [...module.children.allTests()];
    // What a file or a suite fails with is no test's failure.
    const broken = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
    if (broken.length > 0) fail(named(module.moduleId), broken);
    tell({
      type: "file",
      name: named(module.moduleId),
      skipped: tests.filter((test) => test.result().state === "skipped").length,
      seconds: module.diagnostic().duration / 1_000,
      notes: tests.flatMap((test) => test.meta().note ?? []),
    });
  }

  onTestRunEnd(_: readonly TestModule[], errors: readonly SerializedError[]): void {
    for (const error of errors) tell({ type: "error", text: described(error) });
  }
}

function fail(title: string, errors: readonly SerializedError[]): void {
  tell({ type: "failed", title, text: errors.map(described).join("\n") });
}

function described({ message, diff, stacks }: SerializedError): string {
  const at = (stacks ?? []).map(({ file, line }) => `at ${named(file)}:${line}`);
  return [message.slice(0, LENGTH), ...(diff ? [String(diff).slice(0, LENGTH)] : []), ...at].join("\n");
}

function named(file: string): string {
  return relative(process.cwd(), file);
}

function tell(message: object): void {
  process.send?.(message);
}
