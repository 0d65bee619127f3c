import { constants, existsSync } from "node:fs";
import { lstat, mkdir, open, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { EngineError, hasCode, nameProblem } from "../../../core/base/index.js";
import type { ChoiceOf } from "../../internal/flags/table.js";
import { ask, canAsk } from "../ask.js";
import { addFlags } from "../flags.js";
import { print, say } from "../output.js";
import type { Given } from "../run-command.js";

type InitStore = ChoiceOf<"store">;

interface StoreText {
  readonly imports: string;
  readonly option: string;
  /** Additional package that the store needs. */
  readonly needs?: string;
}

const STORES: Readonly<Record<InitStore, StoreText>> = {
  files: { imports: "", option: "" },
  s3: {
    imports: 'import { s3Store } from "scope-engine/adapters/s3";\n',
    option: ', { stateStore: s3Store({ bucket: "my-state", region: "eu-central-1" }) }',
    needs: "@aws-sdk/client-s3",
  },
  redis: {
    imports: 'import { redisStore } from "scope-engine/adapters/redis";\n',
    option: ", { stateStore: redisStore({ url: engine.env.REDIS_URL }) }",
    needs: "@keyv/redis",
  },
  postgres: {
    imports: 'import { postgresStore } from "scope-engine/adapters/postgres";\n',
    option: ", { stateStore: postgresStore({ connectionString: engine.env.DATABASE_URL }) }",
    needs: "pg",
  },
};

interface Written {
  readonly file: string;
  readonly what: "written" | "extended";
}

/** Entries for `.gitignore`: packages, state in files, results of an interrupted run, and variables. */
const IGNORED = ["node_modules/", ".engine/", "engine-recovery.*", ".env"];

/**
 * Used only for type checks, not to run the program. `module` is set because the package.json may not say that it is
 * one.
 */
const TSCONFIG = {
  compilerOptions: {
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    types: ["node"],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  },
};

/**
 * Writes the files of a first program. It does not follow links, because their targets do not belong to the project.
 *
 * @throws EngineError `INVALID_ARGUMENT` if `.gitignore` is not a file; nothing is written then
 */
async function writeProject(
  folder: string,
  { app, store }: { readonly app: string; readonly store: InitStore },
): Promise<readonly Written[]> {
  await mkdir(folder, { recursive: true });
  const gitignore = join(folder, ".gitignore");
  const ignoring = await entryAt(gitignore);
  if (ignoring && !ignoring.isFile()) {
    const what = ignoring.isSymbolicLink() ? "a symbolic link" : "not a file";
    throw new EngineError(
      "INVALID_ARGUMENT",
      `"${gitignore}" is ${what}, so nothing was written. Replace it with a file.`,
    );
  }
  const written: Written[] = [];
  const write = async (name: string, text: string): Promise<void> => {
    const file = join(folder, name);
    await writeFile(file, text, { flag: "wx" });
    written.push({ file, what: "written" });
  };
  await write("engine.run.ts", programText(app, store));
  const ignored = await ignore(gitignore, ignoring !== undefined);
  if (ignored) written.push(ignored);
  if (!(await entryAt(join(folder, "tsconfig.json"))))
    await write("tsconfig.json", `${JSON.stringify(TSCONFIG, undefined, 2).replace(/\[\s*("node")\s*\]/, "[$1]")}\n`);
  return written;
}

function programText(app: string, store: InitStore): string {
  const { imports, option } = STORES[store];
  return `import { engine } from "scope-engine";

${imports}import { File, Folder } from "scope-engine/resources";

const app = await engine(${JSON.stringify(app)}${option});

const site = await Folder("site", { path: \`public/\${app.stage}\` });
await File("index", { path: \`\${site.path}/index.html\`, content: "<h1>hello</h1>" });

await app.finalize(); // deletes what is no longer declared
`;
}

async function ignore(file: string, isThere: boolean): Promise<Written | undefined> {
  const text = isThere ? await readFile(file, "utf8") : "";
  const lines = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  const missing = IGNORED.filter((line) => !lines.has(line));
  if (missing.length === 0) return undefined;
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  // The file may have been replaced with a link since the check.
  const handle = await open(file, constants.O_APPEND | constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW);
  try {
    await handle.writeFile(`${gap}${missing.join("\n")}\n`);
  } finally {
    await handle.close();
  }
  return { file, what: isThere ? "extended" : "written" };
}

/** Returns the entry at a path, also if it is a broken link. */
async function entryAt(path: string) {
  return lstat(path).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  });
}

const CHOICE = Object.keys(STORES).join(", ");

export function addInit(program: Command): void {
  const command = program
    .command("init [folder]")
    .summary("create a starter program if you don't have one")
    .description(
      "Create a starter program, engine.run.ts, add lines to .gitignore, and write a tsconfig.json if it is missing. On a terminal, the command asks for the name of the app and where to keep the state. It overwrites no file.",
    )
    .action((folder: string | undefined, given: Given) => init(resolve(folder ?? "."), given));
  addFlags(command);
}

async function init(folder: string, { name, store, yes }: Given): Promise<void> {
  if (existsSync(resolve(folder, "engine.run.ts"))) {
    throw new EngineError(
      "FILE_EXISTS",
      `"${resolve(folder, "engine.run.ts")}" exists already and was not changed. To create one in another folder, run: engine init <folder>`,
    );
  }
  const asks = yes !== true && canAsk();
  if (yes !== true && !asks) {
    throw new EngineError(
      "NOT_CONFIRMED",
      "Nothing was written because there is no terminal to ask on. Pass --yes to take the defaults.",
    );
  }
  const app = await answer(name, { asks, what: "Name of the app", usual: nameOf(folder), problem: nameProblem });
  const where = await answer(store, {
    asks,
    what: `Where to keep the state: ${CHOICE}`,
    usual: "files",
    problem: storeProblem,
  });
  const written = await writeProject(folder, { app, store: isStore(where) ? where : "files" });
  for (const { file, what } of written) print(`${what.padEnd(8)} ${relative(process.cwd(), file) || file}`);
  const enter = relative(process.cwd(), folder);
  print("");
  print("Next:");
  for (const step of nextSteps(enter, isStore(where) ? where : "files")) print(`  ${step}`);
}

interface Question {
  readonly asks: boolean;
  readonly what: string;
  readonly usual: string;
  /** Returns the reason why a text cannot be the answer, or undefined. */
  problem(text: string): string | undefined;
}

async function answer(given: unknown, { asks, what, usual, problem }: Question): Promise<string> {
  const next = async (): Promise<string> => (await ask(`${what} [${usual}] `)) || usual;
  let text = typeof given === "string" ? given : asks ? await next() : usual;
  for (let wrong = problem(text); wrong !== undefined; wrong = problem(text)) {
    if (typeof given === "string" || !asks) throw new EngineError("INVALID_ARGUMENT", `${what}: ${wrong}.`);
    say(`${wrong}.`);
    text = await next();
  }
  return text;
}

/** Returns the name of the folder if an app can have it. */
function nameOf(folder: string): string {
  const name = basename(folder);
  return nameProblem(name) === undefined ? name : "my-app";
}

/** @param folder to change to; empty if it is the current one */
function nextSteps(folder: string, store: InitStore): readonly string[] {
  const { needs } = STORES[store];
  const wanted = ["scope-engine", ...(needs === undefined ? [] : [needs])];
  const { resolve: find } = createRequire(resolve(folder, "engine.run.js"));
  const missing = (names: readonly string[]): string =>
    names.filter((name) => !isFound(() => find(`${name}/package.json`))).join(" ");
  const [packages, types] = [missing(wanted), missing(["typescript", "@types/node"])];
  return [
    ...(folder === "" ? [] : [`cd ${folder}`]),
    ...(packages === "" ? [] : [`npm install ${packages}`]),
    ...(types === "" ? [] : [`npm install --save-dev ${types}     # types, for an editor and tsc`]),
    "npx engine plan     # show what a run would do",
    "npx engine up       # do it",
    "npx engine secrets generate-key     # before your first secret: print a key, to set as ENGINE_KEY",
  ];
}

function isFound(find: () => string): boolean {
  try {
    return find() !== "";
  } catch {
    return false;
  }
}

function storeProblem(text: string): string | undefined {
  return isStore(text) ? undefined : `"${text}" is not one of ${CHOICE}`;
}

function isStore(text: string): text is InitStore {
  return Object.hasOwn(STORES, text);
}
