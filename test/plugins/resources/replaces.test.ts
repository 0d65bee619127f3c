import { mkdir, symlink } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CopyFile, File, Folder } from "../../../plugins/resources/index.js";
import { change, type Declaring, isForeseen, type Seen } from "./forecasts.ts";
import { type Project, projects } from "./project.ts";

const newProject = projects();

interface Type {
  readonly of: string;
  /** Declares one resource with these paths in two runs. */
  change(project: Project, before: string, after: string): Promise<Seen>;
  isForeseen(path: string, output: unknown): boolean;
}

const outside = true;

/** Each type, with only its path as a variable. */
const types: readonly Type[] = [
  typeOf("File", File, (path) => ({ path, content: "x", outside })),
  typeOf("Folder", Folder, (path) => ({ path, outside })),
  typeOf("CopyFile", CopyFile, (path) => ({ from: "source", to: path, outside })),
];

function typeOf<Props>(of: string, type: Declaring<Props>, at: (path: string) => Props): Type {
  return {
    of,
    change: (project, before, after) => change(project, type, { before: at(before), after: at(after) }),
    isForeseen: (path, output) => isForeseen(type, at(path), output),
  };
}

/** Spellings of a few paths; `$` is the root folder. */
const spellings = [
  "a",
  "./a",
  "d/../a",
  "$/a",
  "$/./a",
  "b",
  "d/b",
  "d//b",
  "$/d/b",
  "../c",
  ".././c",
  "$/../c",
  "../d/e",
];

describe.each(types)("what $of says of a replacement is what an update does", (type) => {
  const compare = async (from: string, to: string): Promise<readonly [foreseen: boolean, real: boolean]> => {
    const project = await newProject();
    await project.write("source", "x");
    const [before, after] = [from.replace("$", project.root), to.replace("$", project.root)];
    const { outputs, isReplaced } = await type.change(project, before, after);
    return [type.isForeseen(after, outputs[0]), isReplaced];
  };

  test.each<[from: string, to: string, isReplaced: boolean]>([
    ["a", "./a", false],
    ["a", "b", true],
    ["a", "d/a", true],
    ["d/a", "d//a", false],
    ["a", "$/a", false],
    ["$/a", "a", false],
    ["$/a", "$/b", true],
    ["$/d/a", "d/a", false],
    ["d/a", "$/a", true],
    ["../c", ".././c", false],
    ["../c", "c", true],
    ["$/../c", "$/d/../../c", false],
    ["$/../c", "../c", false],
    ["../c", "$/../c", false],
    ["../c", "$/../d", true],
  ])("from %s to %s: %s", async (from, to, isReplaced) => {
    expect(await compare(from, to)).toEqual([isReplaced, isReplaced]);
  });

  test("for any two of several spellings", async () => {
    const spelling = fc.constantFrom(...spellings);
    await fc.assert(
      fc.asyncProperty(spelling, spelling, async (from, to) => {
        const [foreseen, real] = await compare(from, to);
        // Without the root folder, "b" could be the same as any absolute path that ends with "/b": then nothing is
        // predicted.
        const isMixed = from.startsWith("$") !== to.startsWith("$");
        if (!isMixed || foreseen) expect(foreseen).toBe(real);
      }),
      { numRuns: 15 },
    );
  });
});

describe("another name of the same place", () => {
  test.each(types)("is an update of a $of, which keeps what is there", async (type) => {
    const project = await newProject();
    await project.write("source", "x");
    await mkdir(project.path("d"));
    await symlink("d", project.path("link"));
    const { outputs, isReplaced } = await type.change(project, "link/a", "d/a");
    expect(isReplaced).toBe(false);
    expect(outputs).toMatchObject([{ path: "link/a" }, { path: "d/a" }]);
    await project.destroy();
    expect(await project.tree()).toEqual(["d/", "link", "source"]);
  });
});

describe("what cannot be known beforehand", () => {
  test("is whether an absolute path that ends like the recorded one is that: it is taken for it", () => {
    const output = { path: "a", existed: false };
    expect(isForeseen(Folder, { path: "/srv/project/a" }, output)).toBe(false);
    expect(isForeseen(Folder, { path: "/srv/project/d/a" }, output)).toBe(false);
    expect(isForeseen(Folder, { path: "/srv/project/da" }, output)).toBe(true);
    expect(isForeseen(Folder, { path: "/srv/project" }, { path: ".", existed: true })).toBe(false);
  });

  test("is nothing of a file of which there are only beginnings: it is replaced", () => {
    const output = { path: "a", size: 0, sha256: "" };
    expect(isForeseen(File, { path: "a", content: "" }, output)).toBe(true);
    expect(isForeseen(CopyFile, { from: "b", to: "a" }, { ...output, sourceSha256: "" })).toBe(true);
  });
});
