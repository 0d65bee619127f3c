import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/engine-project.ts";
import { describeUnless } from "../../servers/given.ts";
import { OPENED } from "./opened.ts";

let project: Project | undefined;
afterEach(() => project?.remove());

describeUnless(lacksPackage, "a TypeScript program", () => {
  it("may use all of TypeScript that has to be compiled, and JavaScript that this Node does not know yet", async () => {
    const source = `/** @jsx h */
      import { type None, type Other } from "./none.js";
      const h = (tag: string, _: unknown, ...inner: readonly unknown[]) => \`<\${tag}>\${inner.join("")}</\${tag}>\`;
      const kept: string[] = [];
      function keep<T extends Function>(value: T, { name }: DecoratorContext): T { kept.push(String(name)); return value; }
      namespace Outer { export const a = 1; export namespace Inner { export enum E { X = 5 } } }
      import Inner = Outer.Inner;
      @keep abstract class Base { abstract x?: number; declare y: string; accessor z = 2; }
      class Derived extends Base { override readonly x = 1; constructor(public p: string) { super(); } @keep m(this: Derived) { return this.p; } }
      function over(value: string): string; function over(value: number): string; function over(value: unknown) { return String(value); }
      const enum Constant { Seven = 7 }
      { using _held = { [Symbol.dispose]: () => console.log("disposed") }; }
      const derived = new Derived("p");
      console.log(<b x="1">{derived.m()}</b>, Inner.E.X, Outer.a, Constant.Seven, over(3) satisfies string, derived.z!, kept.sort().join());`;
    project = await engineProject({ "main.tsx": `${source}${OPENED}` });
    const { stdout, stderr } = await project.engine("up", "main.tsx");
    expect({ stderr, stdout }).toEqual({ stderr: "", stdout: "disposed\n<b>p</b> 5 1 7 3 2 Base,m\n" });
  });

  it("is planned and run after its last resource was deleted, but not the import of its type", async () => {
    const types = `import { Resource } from "scope-engine";
      export interface Unused { readonly x: number }
      export const Table = Resource("own:Table", { create: () => ({}), delete: () => console.log("table deleted") });`;
    const imports = `import { Table } from "./types.js";
      import { File } from "scope-engine/resources";
      import { Nothing } from "./declared-only.js";
      import type { Unused } from "./types-alone.js";
      import { type Other } from "./types-alone.js";
      import { engine } from "scope-engine";
      const app = await engine("site");`;
    const end = "await app.finalize();";
    project = await engineProject({
      "engine.run.ts": `${imports}await Table("t"); await File("f", { path: "f.txt", content: "x" });${end}`,
      "types.ts": types,
      "declared-only.d.ts": "export declare const Nothing: number;",
    });
    expect(await project.engine("up")).toMatchObject({ stderr: "", code: 0 });
    await project.write("engine.run.ts", `${imports}${end}`);
    const planned = await project.engine("plan");
    expect(planned).toMatchObject({ stderr: "", stdout: expect.stringContaining("2 to delete"), code: 0 });
    const done = await project.engine("up");
    expect(done).toMatchObject({ stderr: "", stdout: expect.stringContaining("table deleted"), code: 0 });
    expect(await project.names()).not.toContain("f.txt");
  });

  it("deletes resources of built-in kinds that it does not import any more", async () => {
    const begun = `import { engine } from "scope-engine";\nconst app = await engine("site");\n`;
    const used = `import { File } from "scope-engine/resources";\n${begun}await File("f", { path: "f.txt", content: "x" });\n`;
    project = await engineProject({ "engine.run.ts": `${used}await app.finalize();` });
    await project.engine("up");
    await project.write("engine.run.ts", `${begun}await app.finalize();`);
    expect(await project.engine("up")).toMatchObject({ stderr: "", stdout: expect.stringContaining("1 deleted") });
    expect(await project.names()).not.toContain("f.txt");
  });

  it("is not run where anything is wrong with its files; all of it is told at once", async () => {
    project = await engineProject({
      "engine.run.ts": `console.log("ran"); import "./one.js"; import "./two.ts";\nimport\t"./three.ts";\nimport data from "./bad.json";`,
      "two.ts": "\nnamespace N { export let x = 1; }",
      "three.ts": "const x: = 1;",
      "bad.json": "{",
    });
    const { code, stdout, stderr } = await project.engine("up");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    for (const told of [
      "[INVALID_PROGRAM]",
      'engine.run.ts:1:28: Cannot find "./one.js".',
      "two.ts:2:22: Namespaces exporting non-const are not supported",
      "three.ts:1:10: Unexpected token\n           1 | const x: = 1;\n                        ^",
    ]) {
      expect(stderr).toContain(told);
    }
    // It is used for nothing, and no code.
    expect(stderr).not.toContain("bad.json");
  });
});
