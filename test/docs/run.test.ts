/**
 * The first `runnable` block of each page where readers begin, run as a reader would try it. A block is run in a folder
 * of its own; shell blocks and blocks with `file=NAME` share the folder of their page, in the order of the page. All
 * others are in the matrix.
 */
import { expect, test } from "vitest";
import { describeUnless } from "../servers/given.ts";
import { FIRST_PAGES, jobsOf, sampleOf } from "./jobs.ts";
import { blocks } from "./pages.ts";
import { readersTry } from "./tried.ts";
import { lacksPackage } from "./workshop.ts";

const tried = readersTry();
const jobs = jobsOf(blocks);
const sample = sampleOf(jobs);

describeUnless(lacksPackage, "the programs of the pages", () => {
  test("are there", () => {
    expect(sample.map(({ steps: [first] }) => first?.block.page)).toEqual(FIRST_PAGES);
    expect(jobs.length).toBeGreaterThan(80);
    expect(jobs.flatMap(({ servers }) => servers)).toEqual(expect.arrayContaining(["s3", "redis"]));
  });

  test.concurrent.each(sample)("$name runs", { timeout: 120_000 }, async (job) => {
    expect(await tried(job)).toBe(undefined);
  });
});
