/**
 * Every block marked `runnable`, as a reader would try it. A block is run in a folder of its own; shell blocks and blocks
 * with `file=NAME` share the folder of their page, in the order of the page. `s3` and `redis` give it a real server.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeUnless } from "../servers/given.ts";
import { type Block, blocksIn } from "./blocks.ts";
import { type Job, jobsOf } from "./jobs.ts";
import { blocks } from "./pages.ts";
import { makeReaderProject } from "./reader-project.ts";
import { wrongWithRun } from "./run-block.ts";
import { lacks, serverFor } from "./servers.ts";
import { lacksPackage, openWorkshop, type Workshop } from "./workshop.ts";

let workshop: Workshop;
beforeAll(async () => {
  if (lacksPackage === undefined) workshop = await openWorkshop();
});
afterAll(() => workshop?.remove());

/** True for blocks that have no program of their own. */
function isShellAlone(all: readonly Block[]): boolean {
  return all.every(({ language, code }) => language === "sh" && !code.includes("engine init"));
}

/** What is wrong, of the first step that is. */
async function tried({ name, servers, steps }: Job): Promise<string | undefined> {
  const all = steps.map(({ block }) => block);
  const found = await Promise.all(servers.map((server) => serverFor(server, all)));
  const env = Object.assign({}, ...found);
  const cwd = await workshop.place(name);
  if (isShellAlone(all)) await makeReaderProject({ folder: workshop.folder, cwd, env });
  for (const { block, runs } of steps) {
    if (block.file !== undefined) await writeFile(join(cwd, block.file), block.code);
    const wrong = runs ? await wrongWithRun(block, { folder: workshop.folder, cwd, env }) : undefined;
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

const jobs = jobsOf(blocks);
const local = jobs.filter(({ servers }) => servers.length === 0);
const remote = jobs.filter(({ servers }) => servers.length > 0);

describeUnless(lacksPackage, "the programs of the pages", () => {
  test("are there", () => {
    expect(local.length).toBeGreaterThan(40);
    expect(remote.flatMap(({ servers }) => servers)).toEqual(expect.arrayContaining(["s3", "redis"]));
  });

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
