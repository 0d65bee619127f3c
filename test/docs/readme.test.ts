/**
 * The examples of README.md and docs/guide, as a reader would try them: a block marked `ts runnable` is type-checked and
 * run by itself in a new folder, a block marked `ts checked` (it lacks something that only the reader has) is
 * type-checked. What a runnable block prints must hold, in this order, the texts of its comments `// → text`.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { filesBelow, read, root } from "../house/project.ts";

interface Block {
  /** Page and line, e.g. `docs/guide/state.md:12`. */
  readonly place: string;
  readonly runs: boolean;
  readonly code: string;
}

function blocksIn(page: string, text: string): Block[] {
  const blocks: Block[] = [];
  let open: { readonly line: number; readonly mark: string; readonly lines: string[] } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const fence = /^```(.*)$/.exec(line);
    if (!fence) open?.lines.push(line);
    else if (!open) open = { line: index + 1, mark: (fence[1] ?? "").trim(), lines: [] };
    else {
      const { line: at, mark, lines } = open;
      open = undefined;
      if (mark !== "ts runnable" && mark !== "ts checked") continue;
      blocks.push({ place: `${page}:${at}`, runs: mark === "ts runnable", code: `${lines.join("\n")}\n` });
    }
  }
  return blocks;
}

/** The texts that are missing, or that come before an earlier one. */
function notPrinted(code: string, printed: string): string[] {
  let from = 0;
  return [...code.matchAll(/\/\/ → (.*)$/gm)].flatMap(([, text = ""]) => {
    const at = printed.indexOf(text, from);
    if (at >= 0) from = at + text.length;
    return at < 0 ? [text] : [];
  });
}

const pages = ["README.md", ...filesBelow("docs/guide", (path) => path.endsWith(".md"))];
const blocks = pages.flatMap((page) => blocksIn(page, read(page)));

/** Examples import the package by its name: here that means the sources. */
const paths = {
  "scope-engine": [`${root}plugins/index.ts`],
  "scope-engine/core": [`${root}core/index.ts`],
  "scope-engine/resources": [`${root}plugins/resources/index.ts`],
  "scope-engine/testing": [`${root}core/testing/index.ts`],
  "scope-engine/*": [`${root}*.ts`],
  vitest: [`${root}node_modules/vitest/dist/index.d.ts`],
};
const compilerOptions = {
  paths,
  rootDir: null,
  noEmit: true,
  noUnusedLocals: false,
  noUnusedParameters: false,
  typeRoots: [`${root}node_modules/@types`],
};

let folder = "";
const fileOf = (block: Block): string => join(folder, block.place.replaceAll(/[^\w.]+/g, "-"), "app.ts");

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "scope-engine-docs-")));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ extends: `${root}tsconfig.json`, compilerOptions }));
  for (const block of blocks) {
    await mkdir(join(fileOf(block), ".."));
    await writeFile(fileOf(block), block.code);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a file in its own folder, in a bare environment, and resolves with all that it printed. */
function run(file: string): Promise<{ readonly exitCode: number; readonly printed: string }> {
  const tsx = createRequire(import.meta.url).resolve("tsx/cli");
  const args = [tsx, "--tsconfig", join(folder, "tsconfig.json"), file];
  const { PATH, SystemRoot } = process.env;
  return new Promise((resolve) => {
    const options = { cwd: join(file, ".."), env: { PATH, SystemRoot, HOME: folder } };
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      resolve({ exitCode: error ? Number(error.code ?? 1) : 0, printed: stdout + stderr });
    });
  });
}

describe("the examples", () => {
  test("are there", () => {
    expect(blocks.filter(({ place }) => place.startsWith("README.md")).length).toBeGreaterThanOrEqual(3);
    expect(blocks.filter(({ runs }) => runs).length).toBeGreaterThanOrEqual(12);
  });

  test("type-check", { timeout: 120_000 }, () => {
    const config = ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile).config;
    const { options, errors } = ts.parseJsonConfigFileContent({ ...config, files: blocks.map(fileOf) }, ts.sys, folder);
    const program = ts.createProgram(blocks.map(fileOf), options);
    const found = blocks.flatMap((block) => {
      const source = program.getSourceFile(fileOf(block));
      const wrong = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
      return wrong.map(({ start = 0, messageText }) => {
        const line = (source?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
        return `${block.place} +${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
      });
    });
    expect([...errors.map(({ messageText }) => messageText), ...found]).toEqual([]);
  });

  test.concurrent.each(blocks.filter(({ runs }) => runs))("$place runs", { timeout: 120_000 }, async (block) => {
    const { exitCode, printed } = await run(fileOf(block));
    expect({ exitCode, missing: notPrinted(block.code, printed), printed }).toEqual({
      exitCode: 0,
      missing: [],
      printed,
    });
  });
});

describe("the check", () => {
  test("reads the marked blocks of a page", () => {
    const page = "# P\n\n```ts runnable\na;\n```\n\n```ts\nb;\n```\n\n```ts checked\nc;\n```\n";
    expect(blocksIn("p.md", page)).toEqual([
      { place: "p.md:3", runs: true, code: "a;\n" },
      { place: "p.md:11", runs: false, code: "c;\n" },
    ]);
  });

  test("finds what was not printed", () => {
    expect(notPrinted("x(); // → one\n// → two\n// → three\n", "one\nthree two\n")).toEqual(["three"]);
  });
});
