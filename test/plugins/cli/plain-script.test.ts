import { describe, expect, test } from "vitest";
import { compileSync } from "../../../plugins/cli/typescript/babel.ts";

const settings = {
  hasLegacyDecorators: false,
  definesFields: true,
  keepsImports: false,
  jsx: { runtime: "automatic", importSource: undefined },
} as const;
const IMPORT = 'import { a } from "./a.js";\n';
const compiled = (text: string, path = "/one.ts") => compileSync({ path, text: IMPORT + text, settings });

describe("a long program that only declares resources takes hundreds of megabytes to compile, unless", () => {
  test.each([
    "const one = await a('x', { b: [1, -2, null, `b`], c });",
    "for (const key of ['x', 'y']) await a(key, { key });",
    "for (let index = 0; index < 3; index++) { await a(index); }",
    "await a.run('x', () => a({ d: a['b'].c })); // require",
  ])("it stays as it is: %s", (text) => {
    const { code, format, imports, unused } = compiled(text);
    expect(code).toBe(IMPORT + text);
    expect(format).toBe("module");
    expect(imports).toEqual([{ specifier: "./a.js", isLate: false, line: 1, column: 19 }]);
    expect(unused).toEqual([]);
  });

  test.each([
    ["a<string>('x');", "a('x')"],
    ["const b = a as unknown;", "b = a;"],
    ["let b: typeof a;", "let b;"],
    ["((b?) => b)(a);", "(b => b)(a)"],
    ["((b: string): string => b)(a);", "(b => b)(a)"],
    ["import type { b } from './b.js'; a();", "a()"],
    ["import { type b, c } from './b.js'; a(c);", "import { c } from"],
    ["import { b } from './b.js'; a.b; a({ b: 1 });", "a.b;"],
    ["import { b } from './b.js'; ((b) => b)(a);", "(b => b)(a)"],
    ["using b = a();", "dispose"],
    ["a(__dirname);", "import.meta.dirname"],
    ["enum B { C = a }", "var B"],
    ["class B { accessor c = a; }", "get c()"],
  ])("it needs the compiler: %s", (text, part) => {
    const { code } = compiled(text);
    expect(code).toContain(part);
    expect(code).toContain("sourceMappingURL");
    for (const gone of ["typeof a", "<string>", ": string", "b?", "type b", '"./b.js";\n(('])
      expect(code).not.toContain(gone);
  });

  test("it is CommonJS", () => {
    expect(compiled("a();", "/one.cts")).toMatchObject({
      format: "commonjs",
      code: expect.stringContaining("require("),
    });
  });
});
