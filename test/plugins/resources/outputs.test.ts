import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../core/base/index.js";
import { Command, CopyFile, File, Folder, RandomString } from "../../../plugins/resources/index.js";
import { change, foreseen, foreseenOf } from "./forecasts.ts";
import { type Project, projects } from "./project.ts";

const newProject = projects();

/** All in the test's own folder, whose name is `project`; each spells its path differently. */
const paths: readonly ((name: string, root: string) => string)[] = [
  (name) => name,
  (name) => `./${name}`,
  (name) => `d//${name}`,
  (name) => `d/./e/../${name}`,
  (name) => `../${name}`,
  (name) => `../project/${name}`,
  (name, root) => `${root}/${name}`,
  (name, root) => `${root}/d/../${name}`,
  (name, root) => `${root}/../${name}`,
];
const path = fc.record({ spelled: fc.constantFrom(...paths), name: fc.constantFrom("a", "b", ".c", "ö x") });
const mode = fc.option(fc.constantFrom(0o600, 0o644, 0o755, 0o400), { nil: undefined });

interface Where {
  readonly spelled: (name: string, root: string) => string;
  readonly name: string;
}

function at({ spelled, name }: Where, { root }: Project): string {
  return spelled(name, root);
}

describe("what a type says of its outputs before anything runs is so after a create and after an update, for", () => {
  const options = { numRuns: 20 };

  test("File", async () => {
    const content = fc.oneof(fc.string({ maxLength: 9 }), fc.uint8Array({ maxLength: 9 }));
    const props = fc.record({ path, content, mode });
    await fc.assert(
      fc.asyncProperty(props, props, async (...pair) => {
        const project = await newProject();
        const all = pair.map((one) => ({ ...one, path: at(one.path, project), outside: true }));
        const [before, after] = all;
        if (!before || !after) return;
        const seen = await change(project, File, { before, after });
        expect(seen.outputs).toMatchObject(foreseenOf(File, { before, after }, seen));
      }),
      options,
    );
  });

  test("Folder", async () => {
    await fc.assert(
      fc.asyncProperty(path, path, fc.constantFrom("", "/"), async (one, two, end) => {
        const project = await newProject();
        const [before, after] = [one, two].map((where) => ({ path: `${at(where, project)}${end}`, outside: true }));
        if (!before || !after) return;
        const seen = await change(project, Folder, { before, after });
        expect(seen.outputs).toMatchObject(foreseenOf(Folder, { before, after }, seen));
      }),
      options,
    );
  });

  test("CopyFile", async () => {
    const props = fc.record({ to: path, from: fc.constantFrom("one", "./two"), mode });
    await fc.assert(
      fc.asyncProperty(props, props, async (...pair) => {
        const project = await newProject();
        await project.write("one", "1");
        await project.write("two", "2");
        const all = pair.map((each) => ({ ...each, to: at(each.to, project), outside: true }));
        const [before, after] = all;
        if (!before || !after) return;
        const seen = await change(project, CopyFile, { before, after });
        expect(seen.outputs).toMatchObject(foreseenOf(CopyFile, { before, after }, seen));
      }),
      options,
    );
  });

  test("Command", async () => {
    const project = await newProject();
    await project.write("in", "1");
    const before = { command: "echo one", files: ["in"] };
    const after = { command: "echo one", update: "echo two >&2" };
    const { outputs } = await change(project, Command, { before, after });
    expect(outputs).toMatchObject([foreseen(Command, before), foreseen(Command, after)]);
    expect(foreseen(Command, before)).toEqual({ exitCode: 0 });
  });
});

describe("what a type can say of its outputs", () => {
  test.each<[path: string, known: string | undefined]>([
    ["a", "a"],
    ["./d//a", "d/a"],
    ["d/..", "."],
    ["d/", "d"],
    [".", "."],
    ["..a", "..a"],
    ["../a", undefined],
    ["../project/a", undefined],
    ["..", undefined],
    ["/srv/a", undefined],
    ["", "."],
  ])("of the path %j is %j", (given, known) => {
    expect(foreseen(Folder, { path: given }).path).toBe(known);
  });

  test("is all of a file at a path inside", async () => {
    const project = await newProject();
    const props = { path: "a", content: "\ud800", mode: 0o600 };
    let output: object | undefined;
    await project.up(async () => {
      output = await File("a", props);
    });
    expect(foreseen(File, props)).toEqual(output);
    expect(foreseen(File, { path: "a", content: "" })).not.toHaveProperty("mode");
    // In a plan the content may be an unknown value.
    expect(foreseen(File, { path: "a", content: Object(unknownValue("b")) })).toEqual({ path: "a" });
  });

  test("is of a copy where it is, and its declared permissions; of a random string, nothing", () => {
    expect(foreseen(CopyFile, { from: "a", to: "b", mode: 0o600 })).toEqual({ path: "b", mode: 0o600 });
    expect(foreseen(CopyFile, { from: "a", to: "/b" })).toEqual({});
    expect(foreseen(CopyFile, { from: "a", to: "/srv/b" }, { path: "b" })).toEqual({ path: "b" });
    expect(foreseen(RandomString, { length: 5 })).toEqual({});
  });
});
