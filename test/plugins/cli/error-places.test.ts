/** Errors of a program that Node reports without their place. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { failureNote } from "../../../core/base/index.js";
import { resolved } from "../../../plugins/cli/typescript/hooks.js";
import { Program } from "../../../plugins/cli/typescript/program.js";
import { readProgram } from "../../../plugins/cli/typescript/read-program.js";
import * as main from "../../../plugins/index.js";
import { describeError, failureTexts, IMPORTED } from "../../../plugins/internal/text/describe-error.js";
import * as resources from "../../../plugins/resources/index.js";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "error-places-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("an unknown built-in module is reported without file and line", async () => {
  const entry = join(folder, "builtin.run.mjs");
  await writeFile(entry, 'import { engine } from "scope-engine";\nimport { x } from "node:nothing";\nengine(x);\n');
  const { faults } = readProgram(entry);
  expect(faults).toContain("builtin.run.mjs:2:");
  expect(faults).toMatch(/Node \d+\S+ has no built-in module "node:nothing"\./);
});

test("an unknown built-in module that a program imports late is reported without file and line", async () => {
  const entry = join(folder, "late.run.mjs");
  await writeFile(
    entry,
    'import { engine } from "scope-engine";\nengine("x");\nexport const late = () => import("node:nothing");\n',
  );
  const program = new Program(entry);
  program.read();
  const parentURL = pathToFileURL(program.entry).href;
  const thrown = failureOf(() => resolved(program, "node:nothing", { parentURL }));
  // Programs may test for this module, and continue without it.
  expect(thrown).toMatchObject({ code: "ERR_UNKNOWN_BUILTIN_MODULE" });
  expect(failureNote(thrown).frames).toEqual([`at ${parentURL}:3`]);
  expect([program.isPlain, resolved(program, "node:fs", { parentURL })]).toEqual([false, undefined]);
});

function failureOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test("a missing export of a module that a run imports late is reported without file and line", () => {
  const said = "The requested module './lib.ts' does not provide an export named 'y'";
  const error = new SyntaxError(said);
  error.stack = `file:///app/late.ts:2\nimport { y } from "./lib.ts";\n         ^\nSyntaxError: ${said}\n    at x (/app/main.ts:4:3)`;
  expect(failureNote(error).frames).toEqual(["at file:///app/late.ts:2", "at x (/app/main.ts:4:3)"]);
  expect(describeError(error).match(/late\.ts:2/g)).toHaveLength(1);
});

test.each([
  ["Class constructor File cannot be invoked without 'new'", "File", "scope-engine/resources"],
  ["Cannot call a class constructor File without |new|", "File", "scope-engine/resources"],
  ["Folder is not defined", "Folder", "scope-engine/resources"],
  ["Can't find variable: Resource", "Resource", "scope-engine"],
])("a program without the import of a name gets to know only: %s", (message, name, entry) => {
  const hint = `import { ${name} } from "${entry}";`;
  expect(describeError(new TypeError(message))).toContain(hint);
  expect(failureTexts(failureNote(new TypeError(message))).at(-1)).toContain(hint);
});

test("no import is named for a name that is not of this package, and each that is named is there", () => {
  expect(describeError(new ReferenceError("other is not defined"))).not.toContain("import");
  expect(Object.keys(main)).toEqual(expect.arrayContaining([...(IMPORTED["scope-engine"] ?? [])]));
  expect(Object.keys(resources)).toEqual(expect.arrayContaining([...(IMPORTED["scope-engine/resources"] ?? [])]));
});
