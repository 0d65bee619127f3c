import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project, runEngine } from "../../helpers/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

/** A program that opens no app is refused. */
const OPENED =
  '\nimport { engine as opened } from "scope-engine"; await (await opened("opened", { quiet: true })).finalize();';

/** What the program prints. */
async function printed(files: Readonly<Record<string, string>>): Promise<string> {
  project = await engineProject({ ...files, "engine.run.ts": `${files["engine.run.ts"]}${OPENED}` });
  const { stdout, stderr, code } = await project.engine("up");
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  return stdout.trim();
}

describeUnless(lacksPackage, "a TypeScript program", () => {
  it("may use enums, parameter properties, and .js for files that are .ts", async () => {
    const files = {
      "engine.run.ts":
        'import { Point } from "./point.js"; import { Unit } from "./unit"; console.log(new Point(3).x, Unit.Pixel);',
      "point.ts": "export class Point { constructor(readonly x: number) {} }",
      "unit.ts": 'export enum Unit { Pixel = "px" }',
    };
    expect(await printed(files)).toBe("3 px");
  });

  it("finds each of its files at its own place", async () => {
    const show = "console.log(import.meta.url, import.meta.dirname, import.meta.filename);";
    const stdout = await printed({
      "engine.run.ts": `#!/usr/bin/env -S npx engine\nimport "./lib/a.js"; ${show}`,
      "lib/a.ts": `${show} export {};`,
    });
    const folder = project?.folder;
    expect(stdout.split("\n")).toEqual([
      `file://${folder}/lib/a.ts ${folder}/lib ${folder}/lib/a.ts`,
      `file://${folder}/engine.run.ts ${folder} ${folder}/engine.run.ts`,
    ]);
  });

  it("shares one engine with the program that runs it", async () => {
    const source = `import { Scope, engine } from "scope-engine"; import * as core from "scope-engine/core";

      const app = await engine("shared"); console.log(Scope.current === app, core.Scope === Scope); await app.finalize();`;
    expect(await printed({ "engine.run.ts": source })).toMatch(/^true true\n/);
  });

  it("loads packages as Node does: once, wherever they are used from", async () => {
    const files = {
      "engine.run.ts":
        'import { count } from "counter"; import { other } from "./packages/other/index.js"; console.log(count(), other());',
      "packages/other/index.ts": 'import { count } from "counter"; export const other = () => count();',
      "node_modules/counter/package.json": '{ "name": "counter", "type": "module", "exports": "./index.js" }',
      "node_modules/counter/index.js": "let n = 0; export const count = () => ++n;",
    };
    expect(await printed(files)).toBe("1 2");
  });

  it("finds a package of a folder of its own, which the program's folder does not have", async () => {
    const files = {
      "engine.run.ts": 'import { name } from "./nested/lib.js"; console.log(name);',
      "nested/lib.ts": 'export { name } from "only-here";',
      "nested/node_modules/only-here/package.json":
        '{ "name": "only-here", "type": "module", "exports": "./index.js" }',
      "nested/node_modules/only-here/index.js": 'export const name = "nested";',
    };
    expect(await printed(files)).toBe("nested");
  });

  it("may import sources of its workspace, paths of its tsconfig, JSON, and files found by a pattern", async () => {
    const files = {
      "engine.run.ts": `import { a } from "@/lib"; import data from "./data.json" with { type: "json" };
        const loaded = []; for (const name of ["one", "two"]) loaded.push((await import(\`./parts/\${name}.ts\`)).default);
        console.log(a, data.b, loaded.join());`,
      "src/lib.ts": "export const a: number = 1;",
      "data.json": '{ "b": 2 }',
      "parts/one.ts": "export default 'one' as string;",
      "parts/two.ts": "export default 'two' as string;",
      "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
    };
    expect(await printed(files)).toBe("1 2 one,two");
  });

  it("that was killed while it ran leaves no trap: the next run works", async () => {
    project = await engineProject({
      "engine.run.ts": `console.log('fine');${OPENED}`,
      ".engine.run.ts.999999.mjs": "broken(",
    });
    expect(await project.engine("up")).toMatchObject({ code: 0, stdout: "fine\n" });
  });

  // OTHER_NODES=/path/to/node24:/path/to/node26 tries those, too.
  it.each([process.execPath, ...(process.env.OTHER_NODES ?? "").split(":").filter((path) => path !== "")])(
    "runs on %s",
    async (node) => {
      const source =
        'import { engine } from "scope-engine"; enum Word { Hi = "hi" }; const app = await engine("a"); console.log(Word.Hi); await app.finalize();';
      project = await engineProject({ "engine.run.ts": source });
      const { code, stdout } = await runEngine(project.folder, ["up"], {}, node);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^hi\n/) });
    },
  );
});
