/**
 * The example of docs/examples/site, run as a user runs it: a process of its own, in a project of its own, with the
 * built package. It is compiled first: a compiler in each of its processes would take longer than the program.
 */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { build } from "esbuild";
import { root as project } from "../house/project.ts";

export interface SiteRun {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Lines of the standard output. */
  readonly lines: readonly string[];
  readonly stderr: string;
}

export interface RunOptions {
  readonly flags?: readonly string[];
  /** The output folder. Default: `public`. */
  readonly output?: string;
  /** The process is killed when it has printed so many lines about resources. */
  readonly killAfter?: number;
}

export class ExampleSite {
  readonly root: string;
  readonly #folder: string;
  readonly #program: string;

  private constructor(folder: string, program: string) {
    this.#folder = folder;
    this.#program = program;
    this.root = join(folder, "site");
  }

  static async make(): Promise<ExampleSite> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "scope-engine-site-")));
    const program = join(folder, "engine.run.mjs");
    await mkdir(join(folder, "site"));
    await mkdir(join(folder, "node_modules"));
    await symlink(project, join(folder, "node_modules/scope-engine"), "dir");
    await symlink(join(project, "node_modules/marked"), join(folder, "node_modules/marked"), "dir");
    await build({
      entryPoints: [join(project, "docs/examples/site/engine.run.ts")],
      outfile: program,
      bundle: true,
      packages: "external",
      format: "esm",
      platform: "node",
      target: "node20",
    });
    return new ExampleSite(folder, program);
  }

  /** Publishes the folder `notes`. */
  run({ flags = [], output = "public", killAfter }: RunOptions = {}): Promise<SiteRun> {
    const killer = new URL("killed-after.mjs", import.meta.url).href;
    const preload = killAfter === undefined ? [] : [`--import=${killer}?${killAfter}`];
    const args = [...preload, this.#program, ...flags, "--", "notes", output];
    const inherited = Object.fromEntries(
      ["PATH", "HOME", "TMPDIR", "XDG_STATE_HOME"].map((name) => [name, process.env[name]]),
    );
    const env = { ...inherited, ENGINE_STAGE: "dev" };
    const child = spawn(process.execPath, args, { cwd: this.root, env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => resolve({ code, signal, lines: stdout.trimEnd().split("\n"), stderr }));
    });
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    const file = join(this.root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  async read(path: string): Promise<string> {
    return readFile(join(this.root, path), "utf8");
  }

  /** All files below a folder with their contents, without the name of the build. */
  async files(folder: string): Promise<Record<string, string>> {
    const top = join(this.root, folder);
    const entries = await readdir(top, { recursive: true, withFileTypes: true }).catch(() => []);
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const contents = paths.sort().map(async (path) => {
      const text = (await readFile(path)).toString("latin1").replace(/Build [A-Za-z0-9]{8}/, "Build …");
      return [relative(top, path).split(sep).join("/"), text] as const;
    });
    return Object.fromEntries(await Promise.all(contents));
  }

  remove(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true });
  }
}

/** `created intro.md`, `deleted guides/x.md`, … in the order of the program. */
export function resourceLines(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const [, verb, path] = /^(created|updated|replaced|deleted|FAILED) +site\/dev\/(.*) {2}\(/.exec(line) ?? [];
    return verb === undefined ? [] : `${verb} ${path}`;
  });
}
