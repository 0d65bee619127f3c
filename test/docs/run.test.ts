/**
 * The first block that is marked `runnable` of the pages where readers begin, as a reader would try it. A block is run in a folder of its own; shell
 * blocks and blocks with `file=NAME` share the folder of their page, in the order of the page. All others are in the matrix.
 */
import { describe, expect, test } from "vitest";
import { describeUnless } from "../servers/given.ts";
import { blocksIn } from "./blocks.ts";
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

describe("the check", () => {
  const page = [
    "```ts runnable\nalone();\n```",
    "```ts runnable file=parts.ts\nexport const a = 1;\n```",
    '```ts runnable file=app.ts\nimport "./parts.ts";\n```',
    "```sh runnable\nnpx tsx app.ts\n```",
    "```sh\nssh host\n```",
  ].join("\n\n");

  test("runs together what belongs together, and leaves a file to the one that imports it", () => {
    const found = jobsOf(blocksIn("p.md", page)).map(({ name, steps }) => [name, steps.map(({ runs }) => runs)]);
    expect(found).toEqual([
      ["p.md:1", [true]],
      ["p.md", [false, true, true]],
    ]);
  });

  test("tells a program that fails, and a text that it does not print", async ({ skip }) => {
    if (lacksPackage !== undefined) skip(lacksPackage);
    const failing = '```ts runnable\nconst a: string = "one";\nconsole.log(a); // → two\nprocess.exitCode = 3;\n```\n';
    const [job] = jobsOf(blocksIn("failing.md", failing));
    expect(await tried(job!)).toMatch(/ended with 3\nnot printed: two\none/);
  });
});
