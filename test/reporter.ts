/** Tells of a long run while it goes: each failure at once, and every few minutes how far it is. */
import { relative } from "node:path";
import type { Reporter, TestCase, TestModule, TestSpecification } from "vitest/node";

const INTERVAL = 300_000;
const LENGTH = 400;

export default class implements Reporter {
  #files = 0;
  #ended = 0;
  #told = performance.now();

  onTestRunStart(files: readonly TestSpecification[]): void {
    this.#files = files.length;
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state !== "failed") return;
    const all = errors?.map(({ message, stacks }) => {
      const [at] = stacks ?? [];
      return at ? `${message.slice(0, LENGTH)}\n${at.file}:${at.line}` : message.slice(0, LENGTH);
    });
    tell([`FAILED ${relative(process.cwd(), test.module.moduleId)}: ${test.fullName}`, ...(all ?? [])].join("\n"));
  }

  onTestModuleEnd(_: TestModule): void {
    this.#ended += 1;
    if (performance.now() - this.#told < INTERVAL) return;
    this.#told = performance.now();
    tell(`${this.#ended} of ${this.#files} test files`);
  }
}

/** Each line is marked, so that who started the run can tell them from the rest of the output, which may stand in mid-line. */
function tell(text: string): void {
  process.stdout.write(`\n${text.replaceAll(/^/gm, "| ")}\n`);
}
