/**
 * Every `ts` block of the pages type-checks against the published package, by itself or with its page's files. So does
 * every example of the API.
 */
import { writeFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { typeCheck } from "../helpers/checks/type-check.ts";
import { root } from "../house/project.ts";
import { describeUnless } from "../servers/given.ts";
import { apiExamples } from "./api-examples.ts";
import type { Block } from "./blocks.ts";
import { blocks } from "./pages.ts";
import { lacksPackage, openWorkshop, type Workshop } from "./workshop.ts";

const compilerOptions = {
  rootDir: null,
  noEmit: true,
  allowImportingTsExtensions: true,
  noUnusedLocals: false,
  noUnusedParameters: false,
  typeRoots: [`${root}node_modules/@types`],
};

let workshop: Workshop;
const checked = new Map<string, Block>();

beforeAll(async () => {
  if (lacksPackage !== undefined) return;
  workshop = await openWorkshop();
  const tsconfig = JSON.stringify({ extends: `${root}tsconfig.json`, compilerOptions });
  await writeFile(join(workshop.folder, "tsconfig.json"), tsconfig);
  const programs = blocks.filter(({ language }) => language === "ts");
  for (const block of programs.filter(({ file }) => file === undefined)) await put(block, block.place, []);
  for (const [index, block] of apiExamples.entries()) await put(block, `api-${index}`, []);
  const withFiles = programs.filter(({ file }) => file !== undefined);
  for (const page of new Set(withFiles.map((block) => block.page))) {
    const named = withFiles.filter((block) => block.page === page);
    // A file that a page changes appears twice, each time with the files at that point.
    for (const [index, block] of named.entries()) {
      const others = new Map(named.slice(0, index).map((one) => [one.file, one]));
      const later = named.slice(index + 1).filter(({ file }) => !others.has(file) && file !== block.file);
      others.delete(block.file);
      await put(block, `${page}-${index}`, [...others.values(), ...later]);
    }
  }
});
afterAll(() => workshop?.remove());

/** Writes a block to be checked, and others that it may import. */
async function put(block: Block, name: string, others: readonly Block[]): Promise<void> {
  const folder = join(await workshop.place(name), "src");
  const file = join(folder, block.file ?? "app.ts");
  for (const one of [...others, block]) await mkdir(dirname(join(folder, one.file ?? "app.ts")), { recursive: true });
  for (const other of others) await writeFile(join(folder, other.file ?? ""), other.code);
  // Without an import it would be a script, which shares its names with all other scripts.
  await writeFile(file, /^(im|ex)port /m.test(block.code) ? block.code : `${block.code}\nexport {};\n`);
  checked.set(file, block);
}

function wrongIn(files: readonly string[]): string[] {
  writeFileSync(
    join(workshop.folder, "checked.json"),
    JSON.stringify({ extends: "./tsconfig.json", include: [], files }),
  );
  const { stdout, stderr } = typeCheck("checked.json", workshop.folder);
  // The further lines of a message are indented.
  const messages = stdout.split(/\n(?! )/).filter((text) => text !== "" && !isOfExample(text));
  return [...messages.map(placed), ...(stderr === "" ? [] : [stderr])];
}

/** An example of the API may use names that it does not declare, such as a client of a service. */
function isOfExample(message: string): boolean {
  return /^(?:\w+\/)*api-\d+\/.*error TS(?:2304|2552|2593|7006|7031|18004): /.test(message);
}

/** Replaces the generated file by its block of a page. */
function placed(message: string): string {
  const { file, line, text } = /^(?<file>.+?)\((?<line>\d+),\d+\): (?<text>.*)/s.exec(message)?.groups ?? {};
  if (file === undefined) return message;
  return `${checked.get(join(workshop.folder, file))?.place} +${line}: ${text}`;
}

describeUnless(lacksPackage, "the programs of the pages", () => {
  test("type-check", { timeout: 120_000 }, () => {
    expect(checked.size).toBeGreaterThan(40);
    expect(apiExamples.length).toBeGreaterThan(30);
    expect(wrongIn([...checked.keys()])).toEqual([]);
  });
});
