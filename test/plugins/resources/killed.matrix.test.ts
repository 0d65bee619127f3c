import { describe, expect, test } from "vitest";
import { isLong } from "../../helpers/checks/sampling.js";
import { programs } from "./killed-programs.ts";
import { type KilledRun, killedRuns } from "./killed-runs.ts";
import { type Project, projects } from "./project.ts";

const newProject = projects();
const timeout = isLong ? 3_600_000 : 180_000;

/** Files of others, which no run may touch. */
const theirs: Readonly<Record<string, string>> = { "source.txt": "source", "kept/theirs.txt": "x" };
const theirTree = ["kept/", "kept/theirs.txt", "source.txt"];

const first = { "new/deep/x.txt": "first" };
const second = { "new/deep/x.txt": "second" };
const moved = { "other/x.txt": "first" };
const copy = { "new/x.txt": "source" };

/** The killed program, the one that ran to its end before, and each possible next one with the files that it leaves. */
const cases = [
  { killed: "file", before: "nothing", next: { file: first, changed: second, moved, nothing: {}, copy } },
  { killed: "changed", before: "file", next: { changed: second, file: first, moved, nothing: {} } },
  { killed: "moved", before: "file", next: { moved, file: first, nothing: {} } },
  { killed: "nothing", before: "file", next: { nothing: {}, file: first } },
  { killed: "copy", before: "nothing", next: { copy, nothing: {} } },
  { killed: "folder", before: "nothing", next: { folder: {}, nothing: {}, file: first } },
] as const;

describe("a run that is killed", () => {
  test.each(cases)(
    "in the middle of “$killed” (before it: “$before”) is made good by whatever comes next",
    { timeout },
    async ({ killed, before, next }) => {
      const runs = await killedRuns(newProject, killed, async (project) => {
        for (const [path, content] of Object.entries(theirs)) await project.write(path, content);
        await project.up(() => programs[before]?.());
      });
      expect(runs.length).toBeGreaterThan(1);
      for (const run of runs) {
        const tried = Object.entries(next).filter((_, at) => isLong || at === 0 || (run.moment + at) % 4 === 0);
        for (const [name, files] of tried) await goesOn(run, name, { ...theirs, ...files });
        if (isLong || run.moment % 2 === 0) await canBeDestroyed(run);
        if (killed === "file" && (isLong || run.moment % 2 === 1)) await sparesOthers(run, "new/deep/x.txt");
      }
    },
  );

  test("and killed again while it goes on, is made good all the same", { timeout }, async () => {
    const prepare = async (project: Project): Promise<void> => {
      for (const [path, content] of Object.entries(theirs)) await project.write(path, content);
    };
    for (const run of await killedRuns(newProject, "file", prepare, isLong ? undefined : [5])) {
      const goOn = async (project: Project): Promise<void> => (await run.copy()).copyTo(project);
      const twice = await killedRuns(newProject, "file", goOn, isLong ? undefined : [2, 8, 10, 12]);
      expect(twice.length).toBeGreaterThan(0);
      for (const again of twice) {
        await goesOn(again, "file", { ...theirs, ...first });
        await canBeDestroyed(again);
      }
    }
  });

  test("in the middle of adopting a file goes on adopting it, and leaves it whole until then", {
    timeout,
  }, async () => {
    const runs = await killedRuns(newProject, "adopted", (project) => project.write("theirs.txt", "theirs"));
    for (const run of runs) {
      const project = await run.copy();
      expect(["theirs", "ours"]).toContain(await project.read("theirs.txt"));
      await project.up(() => programs.adopted?.());
      expect(await project.read("theirs.txt")).toBe("ours");
      await project.up();
      expect(await project.tree()).toEqual([]);
    }
  });
});

async function goesOn(run: KilledRun, name: string, files: Readonly<Record<string, string>>): Promise<void> {
  const project = await run.copy();
  const where = `moment ${run.moment}, then ${name}`;
  const { errors } = await project.run(() => programs[name]?.());
  expect({ where, errors, files: await contentsOf(project) }).toEqual({ where, errors: [], files });
  const { summary } = await project.up(() => programs[name]?.());
  expect({ where, summary }).toEqual({ where, summary: name === "nothing" ? {} : { unchanged: 1 } });
  await project.up();
  expect({ where, tree: await project.tree() }).toEqual({ where, tree: theirTree });
}

async function canBeDestroyed(run: KilledRun): Promise<void> {
  const project = await run.copy();
  const where = `moment ${run.moment}, then destroy`;
  const { errors } = await project.destroy();
  expect({ where, errors, tree: await project.tree() }).toEqual({ where, errors: [], tree: theirTree });
}

/** Checks that the next run refuses a foreign file at the path of its own file, and does not touch it. */
async function sparesOthers(run: KilledRun, path: string): Promise<void> {
  const project = await run.copy();
  if ((await project.tree()).includes(path)) return;
  await project.write(path, "theirs");
  expect((await project.failure(() => programs.file?.())).code).toBe("FILE_EXISTS");
  await project.up();
  expect(await contentsOf(project)).toEqual({ ...theirs, [path]: "theirs" });
}

async function contentsOf(project: Project): Promise<Record<string, string>> {
  const files = (await project.tree()).filter((path) => !path.endsWith("/"));
  return Object.fromEntries(await Promise.all(files.map(async (path) => [path, await project.read(path)] as const)));
}
