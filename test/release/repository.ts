/** A small project in a git repository of its own, to make releases of. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { git } from "./execute.ts";
import { release } from "./release.ts";

export interface Repository {
  readonly root: string;
  /** What the releases have said. */
  readonly said: string[];
  write(name: string, text: string): Promise<void>;
  read(name: string): Promise<string>;
  /** Writes a file, and commits everything. */
  commit(name: string, text: string): Promise<void>;
  git(...args: string[]): Promise<string>;
  /** Makes the remote `origin`, and pushes to it. */
  addOrigin(): Promise<string>;
  release(...args: string[]): Promise<void>;
  /** All that a release could change. */
  look(): Promise<readonly string[]>;
  remove(): Promise<void>;
}

const engine = `#!/usr/bin/env node
import { readFileSync } from "node:fs";

const { version } = JSON.parse(readFileSync(new URL("./package.json", import.meta.url), "utf8"));
if (process.argv[2] === "--version") console.log(version);
else if (!readFileSync("engine.run.ts", "utf8").includes("the first app")) process.exit(1);
`;

const manifest = {
  name: "scope-engine",
  version: "0.1.0",
  type: "module",
  repository: "github:ada/scope-engine",
  bin: { engine: "engine.mjs" },
  scripts: { build: "node --eval 0", "test:all": "node test.mjs" },
};

const lock = {
  name: "scope-engine",
  version: "0.1.0",
  lockfileVersion: 3,
  requires: true,
  packages: { "": { name: "scope-engine", version: "0.1.0", bin: { engine: "engine.mjs" } } },
};

const files = {
  "package.json": `${JSON.stringify(manifest, undefined, 2)}\n`,
  "package-lock.json": `${JSON.stringify(lock, undefined, 2)}\n`,
  "engine.mjs": engine,
  "test.mjs": "",
  "README.md": "# scope-engine\n\n## First app\n\n```ts runnable\n// the first app\n```\n",
  "CHANGELOG.md": "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Everything.\n",
};

export async function newRepository(): Promise<Repository> {
  const folder = await mkdtemp(join(tmpdir(), "scope-engine-repository-"));
  const root = join(folder, "project");
  await mkdir(root);
  const inRoot = (...args: string[]): Promise<string> => git(root, ...args);
  const write = (name: string, text: string): Promise<void> => writeFile(join(root, name), text);
  const commit = async (name: string, text: string): Promise<void> => {
    await write(name, text);
    await inRoot("add", "--all");
    await inRoot("commit", "--quiet", "--message", `Changes ${name}`);
  };
  await inRoot("init", "--quiet", "--initial-branch", "main");
  await inRoot("config", "user.name", "Ada");
  await inRoot("config", "user.email", "ada@example.com");
  for (const [name, text] of Object.entries(files)) await write(name, text);
  await commit(".gitignore", "node_modules\n");
  const said: string[] = [];
  return {
    root,
    said,
    write,
    read: (name) => readFile(join(root, name), "utf8"),
    commit,
    git: inRoot,
    addOrigin: async () => {
      const origin = join(folder, "origin.git");
      await git(folder, "init", "--quiet", "--bare", "--initial-branch", "main", origin);
      await inRoot("remote", "add", "origin", origin);
      await inRoot("push", "--quiet", "origin", "main");
      return origin;
    },
    release: (...args) => release(args, { root, today: "2026-01-31", say: (line) => void said.push(line) }),
    look: () =>
      Promise.all([
        inRoot("rev-parse", "HEAD"),
        inRoot("status", "--porcelain"),
        inRoot("tag", "--list"),
        inRoot("branch"),
      ]),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
