import { expect, test } from "vitest";
import { generateModule } from "../../../../plugins/terraform/generate/index.js";
import { compile } from "./compiled.ts";
import { largeSchema } from "./schemas.ts";

const USED = 10;

function moduleOf(count: number, taken: number): string {
  const resources = Array.from({ length: taken }, (_, at) => `thing${at}`);
  const rest = { dataSources: [], ephemeral: [], functions: [] };
  const of = { source: "example.com/acme/cloud", type: "cloud", range: "^1.0.0", version: "1.0.0" };
  return generateModule({ ...of, schema: largeSchema(count), resources, ...rest });
}

/** Uses ten of the types, with props and outputs. */
const PROGRAM = [
  'import { cloud } from "./cloud.js";',
  "const all = cloud();",
  ...Array.from({ length: USED }, (_, at) => {
    const rule =
      'networkRule: { someAttribute0: "a", someAttribute4: { a: "b" }, target: { someAttribute0: "a", someAttribute4: { a: "b" } } }';
    const needed = 'someAttribute0: "a", someAttribute4: { a: "b" }, someAttribute8: ["a"], someAttribute12: true';
    return `const thing${at} = await all.thing${at}("a", { ${needed}, ${rule} });\nconsole.log(thing${at}.own${at});`;
  }),
].join("\n");

/** Work of the compiler: symbols, types, instantiations and lines. A time would depend on the machine. */
async function workOf(text: string): Promise<number> {
  const files = { "cloud.ts": text, "program.ts": PROGRAM };
  const { errors, stdout } = await compile(files, { extendedDiagnostics: true });
  expect(errors, stdout).toEqual([]);
  const counts = ["Lines", "Symbols", "Types", "Instantiations"].map((name) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(stdout)?.[1]),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

test("a program that uses 10 of 1,500 types costs the compiler what one that uses 10 of 10 does", async ({ task }) => {
  const modules = [moduleOf(USED, USED), moduleOf(1500, USED), moduleOf(1500, 1500)];
  const works: number[] = [];
  for (const text of modules) works.push(await workOf(text));
  const [few = 0, many = 0, all = 0] = works;
  const sizes = modules.map((text) => `${Math.round(text.length / 1000)} kB`).join(", ");
  task.meta.note = `10 of 10, 10 of 1,500, all 1,500: ${works.join(", ")}; modules ${sizes}`;
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThanOrEqual(1.01 * few);
  // Using all types takes more work: the counts include it.
  expect(all).toBeGreaterThan(2 * few);
});
