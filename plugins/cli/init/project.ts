/** The files of a first program. */
import { constants } from "node:fs";
import { lstat, mkdir, open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, hasCode } from "../../../core/base/index.js";
import type { ChoiceOf } from "../../internal/flags/table.js";

export type InitStore = ChoiceOf<"store">;

interface StoreText {
  readonly imports: string;
  readonly option: string;
  /** Package that the store needs besides. */
  readonly needs?: string;
}

export const STORES: Readonly<Record<InitStore, StoreText>> = {
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

export interface Written {
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
export async function writeProject(
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
