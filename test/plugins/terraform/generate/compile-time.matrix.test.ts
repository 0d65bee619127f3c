import { expect, test } from "vitest";
import { generateModule } from "../../../../plugins/terraform/generate/module.ts";
import { compile } from "./compiled.ts";
import { largeSchema } from "./schemas.ts";

const USED = 10;
const ROUNDS = 5;

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

/** Milliseconds of the fastest of several runs, one of each after the other. */
async function times(modules: Readonly<Record<string, string>>): Promise<Record<string, number>> {
  const best: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, text] of Object.entries(modules)) {
      const began = performance.now();
      const { errors, stdout } = await compile({ "cloud.ts": text, "program.ts": PROGRAM });
      best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, performance.now() - began);
      expect(errors, stdout).toEqual([]);
    }
  }
  return best;
}

test("a program that uses 10 of 1,500 types compiles as fast as one that uses 10 of 10", async ({ task }) => {
  const [few, many, all] = [moduleOf(USED, USED), moduleOf(1500, USED), moduleOf(1500, 1500)];
  const best = await times({ few, many, all });
  const ratio = (best.many ?? 0) / (best.few ?? 1);
  const sizes = [few, many, all].map((text) => `${Math.round(text.length / 1000)} kB`).join(", ");
  const took = [best.few, best.many, best.all].map((ms) => `${Math.round(ms ?? 0)} ms`).join(", ");
  task.meta.note = `10 of 10, 10 of 1,500, all 1,500: ${took}; ratio ${ratio.toFixed(2)}; modules ${sizes}`;
  expect(ratio).toBeLessThanOrEqual(1.2);
});
