/**
 * The order of the test files: the longest first, so that none is left alone at the end; then those that have a process each, and
 * those that share a process or a thread one after the other.
 */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { durationsIn, FIRST } from "./durations.mjs";

/** Seconds of a file that is worth a process of its own, to begin with it. */
const LONG = 20;
const GROUPS = ["isolated", "shared", "pure"];

export class Sequence extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const durations = { ...FIRST, ...durationsIn(root) };
    const lasts = ({ moduleId }: TestSpecification): number => durations[relative(root, moduleId)] ?? 0;
    const group = (file: TestSpecification): number => (lasts(file) >= LONG ? -1 : GROUPS.indexOf(file.project.name));
    // Of those without a duration the largest first.
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => group(one) - group(other) || lasts(other) - lasts(one));
  }
}
