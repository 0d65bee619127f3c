import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project, runEngine } from "../../helpers/processes/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";
import { OPENED } from "./opened.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

/** Runs the program, and returns its output. */
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

  it("shares one engine with the program that runs it", async () => {
    const source = `import { Scope, engine } from "scope-engine";

      const app = await engine("shared"); console.log(Scope.current === app); await app.finalize();`;
    expect(await printed({ "engine.run.ts": source })).toMatch(/^true\n/);
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

  it("gets an error that names the file that is not JSON, the wrong path of its tsconfig, and the file that was meant", async () => {
    project = await engineProject({
      "engine.run.ts": 'import data from "./bad.json"; console.log(data);',
      "bad.json": "{",
    });
    expect((await project.engine("up")).stderr).toContain("bad.json:1:1: This is not JSON: ");
    await project.write("note.ts", "export {};");
    await project.write("tsconfig.json", '{ "compilerOptions": { "paths": { "@lib/*": ["./nowhere/*"] } } }');
    await project.write("engine.run.ts", 'import "@lib/k"; import "./nots.js";');
    const { stderr: lost } = await project.engine("up");
    expect(lost).toMatch(/:1:8: Cannot find "@lib\/k"\. The "paths" of the tsconfig lead to: .*\/nowhere\/k\./);
    expect(lost).toContain('Cannot find "./nots.js". Did you mean "note.ts"?');
    await project.write("tsconfig.json", '{ "extends": "./nowhere.json" }');
    expect((await project.engine("up")).stderr).toContain("tsconfig.json");
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

  it("may import what the engine's own compiler could not know before it runs, once more after it has changed", async () => {
    const files = {
      "engine.run.ts": `
        import { writeFileSync } from "node:fs";
        for (const n of [1, 2]) {
          writeFileSync("made.ts", \`import { own } from "./own"; export const made: string = own(\${n});\`);
          console.log((await import(\`./made.ts?\${n}\`)).made);
        }
        console.log(import.meta.resolve("./own.ts").endsWith("/own.ts"));`,
      "own.ts": "export const own = (n: number): string => 'made ' + n;",
    };
    expect(await printed(files)).toBe("made 1\nmade 2\ntrue");
  });

  it("is compiled as its tsconfig says: decorators and fields of older TypeScript, JSX of another library, kept imports", async () => {
    const options = {
      experimentalDecorators: true,
      target: "ES2020",
      jsx: "react-jsx",
      jsxImportSource: "vdom",
      verbatimModuleSyntax: true,
    };
    const files = {
      "engine.run.ts": `
        import type { Shown } from "./view.tsx";
        import { view } from "./view.tsx"; import { Nothing } from "./effect.ts";
        const log: string[] = [];
        const named = (target: object, name?: string) => void log.push(name ?? (target as Function).name);
        class Parent { set field(value: number) { log.push(\`set \${value}\`); } }
        @named class Child extends Parent { @named method() {} field = 3; }
        new Child(); console.log(log.join(), view satisfies Shown);`,
      "view.tsx": "export type Shown = string; export const view = <p>text</p> as unknown as string;",
      "effect.ts": "console.log('effect'); export class Nothing {}",
      "tsconfig.json": `// With a comment.\n${JSON.stringify({ extends: "./base.json" })}`,
      "base.json": JSON.stringify({ compilerOptions: options }),
      "node_modules/vdom/package.json":
        '{ "name": "vdom", "type": "module", "exports": { "./jsx-runtime": "./jsx.js" } }',
      "node_modules/vdom/jsx.js": "export const jsx = (tag, { children }) => tag + ':' + children;",
    };
    expect(await printed(files)).toBe("effect\nmethod,Child,set 3 p:text");
  });

  it("may import packages of its workspace that are TypeScript, JSON and text without more words, and CommonJS", async () => {
    const files = {
      "engine.run.ts": `
        import { name } from "@acme/lib"; import { part } from "@acme/lib/part"; import { inner } from "#inner";
        import data, { b, "x y" as c } from "./data.json"; import note from "./note.txt"; import old from "./old.cjs"; import { older } from "./older.cts";
        console.log(name, part, inner, data.b, b, c, note.trim(), old.value, older, __filename.endsWith("run.ts"));`,
      "package.json": '{ "name": "root", "imports": { "#inner": "./src/inner.ts" } }',
      "src/inner.ts": "export const inner: string = 'inner';",
      "data.json": '{ "b": 2, "x y": 3 }',
      "note.txt": "note\n",
      "old.cjs": "exports.value = 4;",
      "older.cts":
        "import path = require('node:path'); const older: string = path.basename(__dirname + '/5'); export { older };",
      "packages/lib/package.json":
        '{ "name": "@acme/lib", "type": "module", "exports": { ".": "./src/index.ts", "./*": { "import": "./src/*.ts" } } }',
      "packages/lib/src/index.ts": 'export { name } from "./name.js";',
      "packages/lib/src/name.ts": "export const name: string = 'lib';",
      "packages/lib/src/part.ts": "export enum Part { A = 'part' } export const part = Part.A;",
    };
    project = await engineProject({ ...files, "engine.run.ts": `${files["engine.run.ts"]}${OPENED}` });
    await mkdir(join(project.folder, "node_modules/@acme"));
    await symlink("../../packages/lib", join(project.folder, "node_modules/@acme/lib"), "dir");
    const { stdout, stderr } = await project.engine("up");
    expect({ stderr, stdout }).toEqual({ stderr: "", stdout: "lib part inner 2 2 3 note 4 5 true\n" });
  });

  it("is compiled once for each change, and again where what is kept of it cannot be used", async () => {
    const used = `import { createRequire } from "node:module"; import { n } from "./n.ts";
      const { cache } = createRequire(import.meta.url); console.log(n, Object.keys(cache).some((file) => file.endsWith("babel.cjs")));`;
    project = await engineProject({ "engine.run.ts": `${used}${OPENED}`, "n.ts": "export const n: number = 1;" });
    const run = async () => (await project?.engine("up"))?.stdout;
    expect([await run(), await run()]).toEqual(["1 true\n", "1 false\n"]);
    await project.write("n.ts", "export const n: number = 2;");
    expect([await run(), await run()]).toEqual(["2 true\n", "2 false\n"]);
    const folder = join(project.folder, "node_modules/.cache/scope-engine");
    const [name = ""] = await readdir(folder);
    await writeFile(join(folder, name), '{"maker"');
    expect(await run()).toBe("2 true\n");
    await rm(folder, { recursive: true });
    await writeFile(folder, "no folder");
    expect([await run(), await run()]).toEqual(["2 true\n", "2 true\n"]);
  });

  // OTHER_NODES=/path/to/node24:/path/to/node26 also tries those.
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
