/** Blocks of the pages that `npm test` leaves out, and those that run on a real server. */
import { expect, test } from "vitest";
import { describeUnless } from "../servers/given.ts";
import { jobsOf, sampleOf } from "./jobs.ts";
import { blocks } from "./pages.ts";
import { lacks } from "./servers.ts";
import { readersTry } from "./tried.ts";
import { lacksPackage } from "./workshop.ts";

const tried = readersTry();
const jobs = jobsOf(blocks);
const sample = sampleOf(jobs);
const local = jobs.filter((job) => job.servers.length === 0 && !sample.includes(job));
const remote = jobs.filter(({ servers }) => servers.length > 0);

describeUnless(lacksPackage, "the programs of the pages that are left", () => {
  test.concurrent.each(local)("$name runs", { timeout: 120_000 }, async (job) => {
    expect(await tried(job)).toBe(undefined);
  });
});

// One after the other: they may use one bucket.
for (const job of remote) {
  const lack = job.servers.map((name) => lacks[name]).find((one) => one !== undefined);
  describeUnless(lacksPackage ?? lack, `${job.name} on ${job.servers.join(" and ")}`, () => {
    test("runs", { timeout: 120_000 }, async () => {
      expect(await tried(job)).toBe(undefined);
    });
  });
}
