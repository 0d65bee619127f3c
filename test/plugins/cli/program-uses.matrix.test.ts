import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { root } from "../../house/project.ts";
import { describeUnless } from "../../servers/given.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

const MAKES = 'import { thing } from "./providers/thing.js";\n';
const FILES = {
  "engine.run.ts": 'import { box } from "./box.js";\nimport { it } from "./it.ts";\nbox();\nvoid it.lid("a");\n',
  "box.ts": `${MAKES}export const box = () => thing({}).box("a", {});\n`,
  "it.ts": `${MAKES}export const it = thing({});\nvoid it.data.boxes("b");\n`,
  "other/tsconfig.json": '{"compilerOptions":{"paths":{"#providers/*":["../providers/*.ts"]}}}',
  "other/engine.run.ts": 'import { thing } from "#providers/thing";\nvoid thing({}).bag("a", {});\n',
};

describeUnless(lacksPackage, "what a program uses of a provider", () => {
  test("is found in all of its files, before there is a module of it, and by the settings of the compiler", async () => {
    project = await engineProject(FILES);
    const { folder } = project;
    const child = fileURLToPath(new URL("program-uses.child.ts", import.meta.url));
    const entries = ["engine.run.ts", "other/engine.run.ts"].map((name) => join(folder, name));
    const args = ["--import", "tsx", child, join(folder, "providers/thing.ts"), ...entries];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    expect(JSON.parse(stdout)).toEqual([["box", "data.boxes", "lid"], ["bag"]]);
  });
});
