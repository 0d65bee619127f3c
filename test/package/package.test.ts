import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { manifest, packageEntries } from "../house/package-exports.ts";
import { root, sourceFiles } from "../house/project.ts";
import { type Consumer, installPackage } from "./consumer.ts";

const program = `
import { engine } from "scope-engine";
import { File } from "scope-engine/resources";
const app = await engine("x", { stage: "t", argv: [], env: {} });
const file = await File("f", { path: "hello.txt", content: "hello" });
await app.finalize();
console.log(file.path);
`;

const strictest = {
  compilerOptions: {
    target: "ES2023",
    module: "NodeNext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  },
};

/** The adapters that can be imported, and type-checked, where their driver is not installed. */
const withoutDriver = ["adapters/fs.ts", "adapters/redis.ts"];

const specifiers = packageEntries(manifest(), sourceFiles())
  .filter(({ source }) => !source.startsWith("adapters/") || withoutDriver.includes(source))
  .map((entry) => entry.specifier);

// "npm test" builds first; a quick run without a build has nothing to pack.
describe.runIf(existsSync(join(root, "dist/plugins/index.js")))("the installed package", () => {
  let consumer: Consumer;

  beforeAll(async () => {
    consumer = await installPackage();
  }, 300_000);
  afterAll(() => consumer?.remove());

  test("runs a program, and runs it again", async () => {
    await consumer.write("app.mjs", program);
    for (const _ of [1, 2]) {
      const { exitCode, stdout, stderr } = await consumer.node("app.mjs");
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(stdout).toContain("hello.txt");
      expect(await readFile(join(consumer.folder, "hello.txt"), "utf8")).toBe("hello");
    }
    expect(existsSync(join(consumer.folder, ".engine"))).toBe(true);
  });

  test("loads by each of its names", async () => {
    await consumer.write("all.mjs", specifiers.map((name) => `await import("${name}");`).join("\n"));
    expect(await consumer.node("all.mjs")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });

  test("says how to install what a store needs, when it is first used", async () => {
    const use =
      'redisStoreAt({ url: "redis://127.0.0.1:1" }).get("key").catch(({ code, message }) => console.log(code, message))';
    await consumer.write("redis.mjs", `import { redisStoreAt } from "scope-engine/adapters/redis";\nawait ${use};`);
    const { exitCode, stdout, stderr } = await consumer.node("redis.mjs");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/^PACKAGE_MISSING .*npm install @keyv\/redis$/m);
  });

  test("keeps its insides to itself", async () => {
    const { exitCode, stderr } = await consumer.node("--eval", 'import("scope-engine/adapters/internal/x")');
    expect(exitCode).toBe(1);
    expect(stderr).toContain("ERR_PACKAGE_PATH_NOT_EXPORTED");
  });

  test("type-checks in the strictest project, declaration files included", { timeout: 120_000 }, async () => {
    const names = specifiers.map((name, index) => `import * as entry${index} from "${name}";`).join("\n");
    const used = `export const entries = [${specifiers.map((_, index) => `entry${index}`).join(", ")}];`;
    const wrong = '// @ts-expect-error A stage is a string.\nawait engine("y", { stage: 1 });';
    await consumer.write(
      "app.ts",
      `${names}${program}const path: string = file.path;\n${wrong}\n${used}\nexport { path };`,
    );
    await consumer.write("tsconfig.json", JSON.stringify({ ...strictest, files: ["app.ts"] }));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    expect(await consumer.node(tsc, "-p", "tsconfig.json")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });

  test("takes at most 20 MB with its dependencies, and loads quickly", async ({ task }) => {
    const size = await consumer.installedSize();
    await consumer.write("bare.mjs", "");
    await consumer.write("load.mjs", 'import "scope-engine";');
    const bare = await medianTime(() => consumer.node("bare.mjs"));
    const load = await medianTime(() => consumer.node("load.mjs"));
    const megabytes = (size / 1e6).toFixed(2);
    task.meta.note = `installed: ${megabytes} MB; import of "scope-engine": ${(load - bare).toFixed(0)} ms over bare node (${bare.toFixed(0)} ms)`;
    expect(size).toBeLessThanOrEqual(20e6);
  });
});

/** Milliseconds: the median of five runs. */
async function medianTime(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < 5; count++) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[2]!;
}
