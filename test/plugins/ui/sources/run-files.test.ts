import { appendFile, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { RunEvents } from "../../../../plugins/ui/sources/index.js";
import { type RunFiles, runFiles } from "../../../../plugins/ui/sources/index.js";
import { until } from "../../../helpers/time/until.js";

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "runs-"));
  ends.push(() => rm(path, { recursive: true }));
  return path;
}

async function followed(path: string): Promise<RunFiles> {
  const files = await runFiles(path);
  ends.push(() => files.close());
  return files;
}

let second = 0;
const line = (type: string, members: object): string => {
  const time = new Date(Date.UTC(2026, 0, 1) + second++ * 1000).toISOString();
  return `${JSON.stringify({ v: 1, type, time, ...members })}\n`;
};
const info = (run: string, stage = "dev") => ({
  run,
  app: "shop",
  stage,
  phase: "up",
  planned: false,
  by: { user: "ann", host: "elsewhere", pid: 1 },
});
const begun = (run: string, stage?: string): string => line("run:started", info(run, stage));
const logged = (message: string, stage = "dev"): string => line("resource:log", { fqn: `shop/${stage}/web`, message });
const ended = (run: string, stage?: string): string =>
  line("run:finished", { ...info(run, stage), ok: true, interrupted: false, summary: {}, duration: 5, errors: [] });

async function messages(run: RunEvents | undefined): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (let at = 0; at < (run?.count ?? 0); ) {
    const lines = (await run?.read(at)) ?? [];
    at += lines.length;
    found.push(...lines.map((text) => JSON.parse(text)).flatMap(({ message }) => message ?? []));
  }
  return found;
}

test("the runs of a folder are those of its files, several in one, those of two stages at once among them", async () => {
  const path = await folder();
  const early = line("state:waiting", { owner: "bob", since: "", holder: {}, message: "early" });
  const texts = [
    early,
    begun("1"),
    begun("2", "prod"),
    logged("a"),
    logged("b", "prod"),
    ended("1"),
    ended("2", "prod"),
  ];
  await writeFile(join(path, "a.ndjson"), [...texts, begun("3"), logged("c")].join(""));
  await writeFile(join(path, "b.jsonl"), [begun("4"), ended("4")].join(""));
  await writeFile(join(path, "notes.txt"), begun("5"));
  const files = await followed(path);
  expect(files.rows()).toMatchObject([
    { run: "4", state: "done", duration: 5 },
    { run: "3", state: "silent" },
    { run: "2", stage: "prod" },
    { run: "1" },
  ]);
  expect(await messages(files.run("1"))).toEqual(["early", "a"]);
  expect(await messages(files.run("2"))).toEqual(["b"]);
  expect(await messages(files.run("3"))).toEqual(["c"]);
});

test("a written line appears soon, once it has an end; a file that is replaced begins again", async () => {
  const path = join(await folder(), "run.ndjson");
  await writeFile(path, begun("1"));
  const files = await followed(path);
  const run = files.run("1");
  let changes = 0;
  run?.onChange(() => void changes++);
  const text = logged("ü");
  const bytes = Buffer.from(text);
  const half = bytes.indexOf(Buffer.from("ü")) + 1;
  await appendFile(path, bytes.subarray(0, half));
  await appendFile(path, bytes.subarray(half));
  await until(
    () => messages(run),
    (told) => told.length > 0,
  );
  expect(await messages(run)).toEqual(["ü"]);
  expect(changes).toBeGreaterThan(0);
  expect(run?.isOver).toBe(false);
  await appendFile(path, ended("1"));
  await until(() => run?.isOver);
  await writeFile(`${path}.new`, begun("2"));
  await rename(`${path}.new`, path);
  await until(
    () =>
      files
        .rows()
        .map((row) => row.run)
        .join(),
    (ids) => ids === "2",
  );
});

test("a line that is not an event is reported, and left out", async () => {
  const path = join(await folder(), "run.ndjson");
  const broken = ["not json\n", "[]\n", '{"type":1}\n', "\n", ...Array(20).fill("{\n")];
  await writeFile(path, [begun("1"), ...broken, logged("a"), ended("1")].join(""));
  const files = await followed(path);
  expect(files.malformed).toBe(23);
  const told = await messages(files.run("1"));
  expect(told).toHaveLength(11);
  expect(told[0]).toBe('Line 2 of "run.ndjson" is not an event and was left out.');
  expect(told[9]).toMatch(/Further lines are not reported\.$/);
  expect(told[10]).toBe("a");
});

test("a run whose process is gone without a word was cut off", async () => {
  const path = join(await folder(), "run.ndjson");
  const by = { user: "ann", host: hostname(), pid: 2 ** 22 + 1 };
  await writeFile(path, [line("run:started", { ...info("1"), by }), logged("a")].join(""));
  const files = await followed(path);
  expect(files.rows()).toMatchObject([{ run: "1", state: "cut off", duration: 1000 }]);
  expect(files.run("1")?.isOver).toBe(false);
  await appendFile(path, ended("1"));
  await until(() => files.run("1")?.isOver);
  expect(files.rows()).toMatchObject([{ run: "1", state: "done" }]);
});
