import { constants, existsSync } from "node:fs";
import { lstat, mkdir, open, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { EngineError, hasCode, nameProblem } from "../../../core/base/index.js";
import type { ChoiceOf } from "../../internal/flags/table.js";
import { ask, isAsking } from "../ask.js";
import { addFlags } from "../flags.js";
import { print, say } from "../output.js";
import type { Given } from "../run-command.js";

/** The files of a first program. */
type InitStore = ChoiceOf<"store">;

interface StoreText {
  readonly imports: string;
  readonly option: string;
  /** Package that the store needs besides. */
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
};

interface Written {
  readonly file: string;
  readonly what: "written" | "extended";
}

/** What is not for version control: packages, state in files, results of an interrupted run, and variables. */
const IGNORED = ["node_modules/", ".engine/", "engine-recovery.*", ".env"];

/** For types alone: what a program is run with is none of it. That it is a module is so whatever the package.json says. */
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
 * Links are not followed: what is there belongs to whoever made it.
 *
 * @throws EngineError `INVALID_ARGUMENT` where `.gitignore` is no file; before anything is written
 */
async function writeProject(
  folder: string,
  { app, store }: { readonly app: string; readonly store: InitStore },
): Promise<readonly Written[]> {
  await mkdir(folder, { recursive: true });
  const gitignore = join(folder, ".gitignore");
  const ignoring = await entryAt(gitignore);
  if (ignoring && !ignoring.isFile()) {
    const what = ignoring.isSymbolicLink() ? "a symbolic link" : "no file";
    throw new EngineError(
      "INVALID_ARGUMENT",
      `"${gitignore}" is ${what}: nothing was written. Put a file in its place.`,
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
  // A link may have come meanwhile.
  const handle = await open(file, constants.O_APPEND | constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW);
  try {
    await handle.writeFile(`${gap}${missing.join("\n")}\n`);
  } finally {
    await handle.close();
  }
  return { file, what: isThere ? "extended" : "written" };
}

/** What is there, be it a link that leads nowhere. */
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
    .summary("write a first program: engine.run.ts, lines for .gitignore, tsconfig.json if missing")
    .description(
      "Writes a first program, engine.run.ts, adds lines to .gitignore, and writes a tsconfig.json where there is none. Asks on a terminal; nothing that is there is overwritten.",
    )
    .action((folder: string | undefined, given: Given) => init(resolve(folder ?? "."), given));
  addFlags(command);
}

async function init(folder: string, { name, store, yes }: Given): Promise<void> {
  if (existsSync(resolve(folder, "engine.run.ts"))) {
    throw new EngineError(
      "FILE_EXISTS",
      `"${resolve(folder, "engine.run.ts")}" is there already, and was left as it is.`,
    );
  }
  const asks = yes !== true && isAsking();
  if (yes !== true && !asks) {
    throw new EngineError(
      "NOT_CONFIRMED",
      "Nothing was written: nobody is there to be asked. Pass --yes to take the defaults.",
    );
  }
  const app = await answer(name, { asks, what: "Name of the app", usual: nameOf(folder), problem: nameProblem });
  const where = await answer(store, {
    asks,
    what: `Where the state is kept: ${CHOICE}`,
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
  /** Why it cannot be the answer. */
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

/** The folder's name, as far as it can be an app's. */
function nameOf(folder: string): string {
  const name = basename(folder);
  return nameProblem(name) === undefined ? name : "my-app";
}

/** @param folder to go into; empty: none */
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
    "npx engine plan     # what a run would do",
    "npx engine up       # do it",
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
  return isStore(text) ? undefined : `"${text}" is none of ${CHOICE}`;
}

function isStore(text: string): text is InitStore {
  return Object.hasOwn(STORES, text);
}
