import { spawn } from "node:child_process";
import { cp } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { programs } from "./killed-programs.ts";
import { type Project, projects } from "./project.ts";

const newProject = projects();
const child = fileURLToPath(new URL("killed.child.ts", import.meta.url));

/** What is there whatever happens. */
const theirs: Readonly<Record<string, string>> = { "source.txt": "source", "kept/theirs.txt": "x" };

interface Killed {
  readonly moment: number;
  /** A copy of the folder as the killed run left it. */
  copy(): Promise<Project>;
}

/** The folder as each run leaves it that is killed at one of its moments, from the first to the last. */
async function killedRuns(name: string, before: (project: Project) => Promise<unknown>): Promise<Killed[]> {
  const killed: Killed[] = [];
  for (let moment = 0; ; moment += 4) {
    const four = await Promise.all([0, 1, 2, 3].map((more) => killedAt(name, moment + more, before)));
    killed.push(...four.flatMap((one) => one ?? []));
    if (four.includes(undefined)) return killed;
  }
}

async function killedAt(
  name: string,
  moment: number,
  before: (project: Project) => Promise<unknown>,
): Promise<Killed | undefined> {
  const project = await newProject({ stateStore: undefined });
  for (const [path, content] of Object.entries(theirs)) await project.write(path, content);
  await before(project);
  const args = ["--import", "tsx", child, project.root, name, String(moment)];
  const ended = await new Promise<number | string | null>((resolve, reject) => {
    const run = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    run.once("error", reject);
    run.once("close", (code, signal) => resolve(signal ?? code));
  });
  if (ended === 0) return undefined;
  expect(ended).toBe("SIGKILL");
  return { moment, copy: () => copyOf(project) };
}

async function copyOf({ root }: Project): Promise<Project> {
  const copy = await newProject({ stateStore: undefined });
  await cp(root, copy.root, { recursive: true, verbatimSymlinks: true });
  return copy;
}

async function contentsOf(project: Project): Promise<Record<string, string>> {
  const files = (await project.tree()).filter((path) => !path.endsWith("/"));
  return Object.fromEntries(await Promise.all(files.map(async (path) => [path, await project.read(path)] as const)));
}

const first = { "new/deep/x.txt": "first" };
const second = { "new/deep/x.txt": "second" };

const cases = [
  {
    killed: "file",
    then: {
      file: first,
      changed: second,
      moved: { "other/x.txt": "first" },
      nothing: {},
      copy: { "new/x.txt": "source" },
    },
  },
  {
    before: "file",
    killed: "changed",
    then: { changed: second, file: first, moved: { "other/x.txt": "first" }, nothing: {} },
  },
  { before: "file", killed: "moved", then: { moved: { "other/x.txt": "first" }, file: first, nothing: {} } },
  { before: "file", killed: "nothing", then: { nothing: {}, file: first } },
  { killed: "copy", then: { copy: { "new/x.txt": "source" }, nothing: {} } },
  { killed: "folder", then: { folder: {}, nothing: {}, file: first } },
] as const;

describe("a run that is killed", () => {
  test.each(cases)("in the middle of $killed (after: $before) is made good by whatever comes next", async (given) => {
    const before = "before" in given ? given.before : "nothing";
    const runs = await killedRuns(given.killed, (project) => project.up(() => programs[before]?.()));
    expect(runs.length).toBeGreaterThan(1);
    for (const run of runs) {
      for (const [name, files] of Object.entries(given.then)) {
        const project = await run.copy();
        const where = `${given.killed}, moment ${run.moment}, then ${name}`;
        const { errors } = await project.run(() => programs[name]?.());
        expect({ where, errors, files: await contentsOf(project) }).toEqual({
          where,
          errors: [],
          files: { ...theirs, ...files },
        });
        const { summary } = await project.up(() => programs[name]?.());
        expect({ where, summary }).toEqual({ where, summary: name === "nothing" ? {} : { skipped: 1 } });
        await project.up();
        expect({ where, tree: await project.tree() }).toEqual({
          where,
          tree: ["kept/", "kept/theirs.txt", "source.txt"],
        });
      }
      const project = await run.copy();
      const where = `${given.killed}, moment ${run.moment}, then destroy`;
      const { errors } = await project.destroy();
      const tree = await project.tree();
      expect({ where, errors, tree }).toEqual({ where, errors: [], tree: ["kept/", "kept/theirs.txt", "source.txt"] });
    }
  });

  test("in the middle of adopting a file goes on adopting it, and leaves it whole until then", async () => {
    const runs = await killedRuns("adopted", (project) => project.write("theirs.txt", "theirs"));
    for (const run of runs) {
      const untouched = await run.copy();
      expect(["theirs", "ours"]).toContain(await untouched.read("theirs.txt"));
      const project = await run.copy();
      await project.up(() => programs.adopted?.());
      expect(await project.read("theirs.txt")).toBe("ours");
      await project.up();
      expect(await project.tree()).toEqual(["kept/", "kept/theirs.txt", "source.txt"]);
    }
  });

  test("before anything was in place never touches what comes to stand there", async () => {
    const runs = await killedRuns("file", async () => {});
    for (const run of runs) {
      const project = await run.copy();
      if ((await project.tree()).includes("new/deep/x.txt")) continue;
      await project.write("new/deep/x.txt", "theirs");
      await project.run(() => programs.file?.());
      expect(await project.read("new/deep/x.txt")).toBe("theirs");
      await project.up();
      expect(await project.tree()).toEqual([
        "kept/",
        "kept/theirs.txt",
        "new/",
        "new/deep/",
        "new/deep/x.txt",
        "source.txt",
      ]);
    }
  });
});
