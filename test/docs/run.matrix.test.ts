/** Blocks of the pages that run on a real server. */
import { expect, test } from "vitest";
import { describeUnless } from "../servers/given.ts";
import { jobsOf } from "./jobs.ts";
import { blocks } from "./pages.ts";
import { lacks } from "./servers.ts";
import { readersTry } from "./tried.ts";
import { lacksPackage } from "./workshop.ts";

const tried = readersTry();
const remote = jobsOf(blocks).filter(({ servers }) => servers.length > 0);

// One after the other: they may use one bucket.
for (const job of remote) {
  const lack = job.servers.map((name) => lacks[name]).find((one) => one !== undefined);
  describeUnless(lacksPackage ?? lack, `${job.name} on ${job.servers.join(" and ")}`, () => {
    test("runs", { timeout: 120_000 }, async () => {
      expect(await tried(job)).toBe(undefined);
    });
  });
}
