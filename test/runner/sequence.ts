/** The order of the test files: those that share a process or a thread one after the other, and of the others the longest first. */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { durationsIn } from "./durations.mjs";

const TOGETHER: Readonly<Record<string, number>> = { shared: -1, pure: -2 };

export class Sequence extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const durations = durationsIn(root);
    const place = ({ moduleId, project }: TestSpecification): number =>
      TOGETHER[project.name] ?? durations[relative(root, moduleId)] ?? 1_000;
    // Without durations of its own, by the size of the files.
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => place(other) - place(one));
  }
}
