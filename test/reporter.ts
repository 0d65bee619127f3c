/**
 * Prints each failure at once, a line of progress now and then, and all failures again at the end; counts into
 * TEST_SUMMARY.
 */
import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, SerializedError, TestCase, TestModule, TestSpecification } from "vitest/node";

/** Milliseconds between two lines of progress. */
const PACE = 15_000;
/** Characters of a failure at the end of the run, where it is printed again. */
const SHORT = 1_200;
const LONG = 4_000;

export default class implements Reporter {
  readonly #started = performance.now();
  readonly #count = { passed: 0, failed: 0, skipped: 0 };
  readonly #failures: string[] = [];
  readonly #seconds = new Map<string, number>();
  #files = 0;
  #progress: NodeJS.Timeout | undefined;

  onTestRunStart(files: readonly TestSpecification[]): void {
    this.#files = files.length;
    this.#progress = setInterval(() => this.#print(), PACE).unref();
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state === "passed") this.#count.passed += 1;
    if (state === "skipped") this.#count.skipped += 1;
    if (state === "failed") this.#fail(`${named(test.module.moduleId)}: ${test.fullName}`, errors ?? []);
  }

  onTestModuleEnd(module: TestModule): void {
    // A file or a suite can fail outside of its tests.
    const broken = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
    if (broken.length > 0) this.#fail(named(module.moduleId), broken);
    this.#seconds.set(named(module.moduleId), module.diagnostic().duration / 1_000);
    for (const test of module.children.allTests()) {
      const { note } = test.meta();
      if (note !== undefined) print(`       ${note}`);
    }
  }

  onTestRunEnd(_: readonly TestModule[], errors: readonly SerializedError[]): void {
    clearInterval(this.#progress);
    if (errors.length > 0) this.#fail("the run of the tests", errors);
    this.#print();
    const slowest = [...this.#seconds].sort(([, one], [, other]) => other - one).slice(0, 12);
    print(`       slowest: ${slowest.map(([name, seconds]) => `${name} ${seconds.toFixed(0)} s`).join(", ")}`);
    for (const failure of this.#failures) print(failure.slice(0, SHORT));
    if (process.env.TEST_SUMMARY) writeFileSync(process.env.TEST_SUMMARY, JSON.stringify(this.#count));
  }

  #fail(title: string, errors: readonly SerializedError[]): void {
    this.#count.failed += 1;
    const text = errors.map(described).join("\n").slice(0, LONG).replaceAll(/^/gm, "       ");
    this.#failures.push(`FAILED ${title}\n${text}`);
    print(`FAILED ${title}\n${text}`);
  }

  #print(): void {
    const { passed, failed } = this.#count;
    const seconds = ((performance.now() - this.#started) / 1_000).toFixed(0);
    print(`tests  ${this.#seconds.size} of ${this.#files} files, ${passed} passed, ${failed} failed, ${seconds} s`);
  }
}

function described({ message, diff, stacks }: SerializedError): string {
  const at = (stacks ?? []).map(({ file, line }) => `at ${named(file)}:${line}`);
  return [message, ...(diff ? [String(diff)] : []), ...at].join("\n");
}

/** The reporter is the one place of the tests that prints. */
function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function named(file: string): string {
  return relative(process.cwd(), file);
}
