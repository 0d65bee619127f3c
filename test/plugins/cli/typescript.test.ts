import { afterEach, expect, it } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
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

  it("is not run if anything is wrong with its files; all errors are reported at once", async () => {
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
    // The program does not use this import, and JSON is not code.
    expect(stderr).not.toContain("bad.json");
  });
});
