import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { importsIn } from "../../../plugins/cli/typescript/babel.js";
import { moduleImports } from "../../../plugins/cli/typescript/compiler.js";
import { Program } from "../../../plugins/cli/typescript/program.js";
import { engineProject, lacksPackage } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";

describe("the imports of a module", () => {
  test.each([
    'import a from "./a.mjs";',
    "import './a.mjs'",
    'import * as a from "./a.mjs"; export * from "./b.mjs";\nexport { c } from "./c.mjs"; export const d = 1;',
    'import {\n  a,\n} from\n  "./a.mjs";\r\nconst b = await import("./b.mjs");',
    `const text = \`import "./no.mjs" \${await import("./yes.mjs")}\`; /* import "./no.mjs" */ // import "./no.mjs"`,
    'import data from "./data.json" with { type: "json" };',
    'const re = /import "x"/; export default re;',
    "",
  ])("are the same to the lexer as to the compiler: %j", (text) => {
    expect(moduleImports(text)).toEqual({ imports: importsIn("/app/a.mjs", text), isComplete: true });
  });

  test.each(["await import(name)", "await import(base + name)"])("are not all of them where it asks %s", (text) => {
    expect(moduleImports(text)).toEqual({ imports: [], isComplete: false });
  });

  test.each([
    'const a = require("./a.cjs");',
    'import { createRequire } from "node:module";',
    'const load = eval("(name) => import(name)");',
    'const load = new Function("name", "return import(name)");',
    'import.meta.resolve("./a.ts");',
    "import {",
  ])("are left to the compiler: %s", (text) => expect(moduleImports(text)).toBeUndefined());
});

describe("a program", () => {
  async function read(files: Readonly<Record<string, string>>): Promise<Program> {
    const folder = await mkdtemp(join(tmpdir(), "program-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const program = new Program(join(folder, "engine.run.mjs"));
    program.read();
    return program;
  }

  test.each([
    [{ "engine.run.mjs": 'import { engine } from "scope-engine"; import "node:fs"; await engine("a");' }],
    [{ "engine.run.mjs": 'import "./b.mjs"; import("./b.mjs");', "b.mjs": 'import "node:fs"; export {};' }],
  ])("is left to Node where all of it is Node's: %j", async (files) => {
    expect((await read(files)).isPlain).toBe(true);
  });

  test.each([
    [{ "engine.run.mjs": 'import "./b.mjs";', "b.mjs": 'import "scope-engine";' }],
    [{ "engine.run.mjs": "await import(process.argv[2]);" }],
  ])("is not where Node would do otherwise: %j", async (files) => {
    expect((await read(files)).isPlain).toBe(false);
  });
});

describeUnless(lacksPackage, "a program in JavaScript", () => {
  test.each([
    'import { b } from "./b.js";',
    'import { b } from "./b";',
    'import { b } from "@/b";',
    'const { b } = await import("./b.ts");',
    'const name = new URL("b.ts", import.meta.url); const { b } = await import(name);',
    'import { writeFileSync } from "node:fs"; writeFileSync("late.ts", "export const b: number = 1;"); const { b } = await import("./late.js");',
    'import b from "./b.json";',
  ])("can use what only the engine can load: %s", async (imports) => {
    const project = await engineProject({
      "engine.run.mjs": `import { engine } from "scope-engine"; ${imports}
        const app = await engine("plain", { quiet: true }); console.log(b); await app.finalize();`,
      "b.ts": "export const b: number = 1;",
      "b.json": "1",
      "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./*"] }, "allowJs": true } }',
    });
    onTestFinished(() => project.remove());
    expect(await project.engine("up")).toEqual({ code: 0, stdout: "1\n", stderr: "" });
  });
});
