/** Runs a block as a reader would, in a bare environment. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { transform } from "esbuild";
import { root } from "../house/project.ts";
import { type Block, notPrinted } from "./blocks.ts";

/** Milliseconds for one block. */
const patience = 100_000;

export interface Surroundings {
  /** The folder that `bin` and `node_modules` are in. */
  readonly folder: string;
  /** The working directory of the block. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The fault in a block's outcome; undefined if there is none. */
export async function wrongWithRun(block: Block, surroundings: Surroundings): Promise<string | undefined> {
  const [command, ...args] = await commandOf(block, surroundings.cwd);
  const { exitCode, printed } = await run(command, args, surroundings);
  const missing = notPrinted(block.code, printed);
  if (exitCode === block.exit && missing.length === 0) return undefined;
  const said = missing.map((text) => `not printed: ${text}\n`).join("");
  return `${block.place} ended with ${exitCode}\n${said}${printed}`;
}

const VITEST = join(root, "node_modules/vitest/vitest.mjs");

type CommandLine = readonly [string, ...string[]];

async function commandOf({ language, marks, file, code }: Block, cwd: string): Promise<CommandLine> {
  if (language === "sh") return ["sh", "-ec", code];
  if (marks.has("vitest")) {
    await writeFile(join(cwd, "page.test.ts"), code);
    // A busy machine takes longer than the limit of a reader's tests; their speed does not matter here.
    return [process.execPath, VITEST, "run", "--testTimeout=120000", "--root", cwd];
  }
  // Other blocks import it, or it imports others, by the name of the source.
  if (file !== undefined) return ["tsx", file];
  // Without the start of the compiler, which would take longer than the block.
  const { code: program } = await transform(code, { loader: "ts", target: "node20", sourcemap: "inline" });
  await writeFile(join(cwd, "app.js"), program);
  return [process.execPath, "--enable-source-maps", "app.js"];
}

/** Runs a program to its end, without input. */
export function run(command: string, args: readonly string[], { folder, cwd, env }: Surroundings) {
  const path = [join(folder, "bin"), process.env.PATH ?? ""].join(delimiter);
  const bare = { PATH: path, HOME: folder, USER: "ada", AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" };
  return new Promise<{ readonly exitCode: number; readonly printed: string }>((resolve) => {
    const options = { cwd, env: { ...bare, ...env }, timeout: patience };
    execFile(command, args, options, (error, stdout, stderr) => {
      const exitCode = error ? Number(error.code ?? 1) : 0;
      resolve({ exitCode, printed: stdout + stderr });
    }).stdin?.end();
  });
}
