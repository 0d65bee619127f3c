/** A folder of its own for each test, in which the real engine runs repeatedly, with its state in memory. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { afterEach } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { RunFailedError, type RunSummary } from "../../../core/base/index.js";
import type { AnyEvent, EngineOptions, EventSource, Scope } from "../../../core/contract/index.js";
import { engine } from "../../../plugins/index.js";

const execute = promisify(execFile);

export interface Outcome {
  /** Counts that are not 0. */
  readonly summary: Partial<RunSummary>;
  /** Codes and messages of the errors. */
  readonly errors: readonly { readonly code: string; readonly message: string }[];
  /** Lines that handlers wrote with `log`. */
  readonly log: readonly string[];
}

export class Project {
  /** Real path, without symbolic links. */
  readonly root: string;
  /** Options of every run. */
  readonly options: EngineOptions;

  constructor(root: string, options: EngineOptions = {}) {
    this.root = root;
    this.options = { stage: "s", rootDir: root, argv: [], env: {}, quiet: true, stateStore: memoryStore(), ...options };
  }

  /** One run, to the end of its finalize. */
  async run(program: (app: Scope) => unknown, options: EngineOptions = {}): Promise<Outcome> {
    const events: AnyEvent[] = [];
    const hearing = { name: "hearing", apply: hear(events) };
    const logger = { info() {}, error() {} };
    const plugins = [hearing, ...(options.plugins ?? [])];
    const errors = await finish(program, { ...this.options, logger, ...options, plugins }).then(none, errorsOf);
    return { summary: summaryOf(events), errors, log: events.flatMap((event) => lineOf(event)) };
  }

  /** A run that must succeed. */
  async up(program: (app: Scope) => unknown = () => {}, options: EngineOptions = {}): Promise<Outcome> {
    const outcome = await this.run(program, options);
    if (outcome.errors.length > 0) throw new Error(outcome.errors.map(({ message }) => message).join("\n"));
    return outcome;
  }

  /** A run that must fail with one error. */
  async failure(program: (app: Scope) => unknown, options: EngineOptions = {}): Promise<Outcome["errors"][number]> {
    const { errors } = await this.run(program, options);
    const [error] = errors;
    if (!error || errors.length > 1) throw new Error(`Not one error but ${errors.length}: ${JSON.stringify(errors)}`);
    return error;
  }

  destroy(): Promise<Outcome> {
    return this.run(() => {}, { phase: "destroy" });
  }

  path(path: string): string {
    return join(this.root, path);
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(this.path(path)), { recursive: true });
    await writeFile(this.path(path), content);
  }

  read(path: string): Promise<string> {
    return readFile(this.path(path), "utf8");
  }

  async mode(path: string): Promise<number> {
    return (await stat(this.path(path))).mode & 0o7777;
  }

  async copyTo(other: Project): Promise<void> {
    // Node's own cp would turn a file with two names into two files.
    await execute("cp", ["-a", `${this.root}/.`, other.root]);
  }

  /** Everything in the folder except the engine's own files, sorted; folders end in "/". */
  async tree(): Promise<string[]> {
    const entries = await readdir(this.root, { recursive: true, withFileTypes: true });
    const paths = entries.map((entry) => {
      const path = relative(this.root, join(entry.parentPath, entry.name)).split(sep).join("/");
      return entry.isDirectory() ? `${path}/` : path;
    });
    return paths.filter((path) => !path.startsWith(".engine/")).sort();
  }
}

/** Makes projects; each is removed when its test ends. */
export function projects(): (options?: EngineOptions) => Promise<Project> {
  const made: string[] = [];
  afterEach(async () => {
    await Promise.all(made.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
  });
  return async (options) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "scope-engine-resources-")));
    made.push(folder);
    const root = join(folder, "project");
    await mkdir(root);
    return new Project(root, options);
  };
}

async function finish(program: (app: Scope) => unknown, options: EngineOptions): Promise<void> {
  const app = await engine("t", options);
  await app.run(async () => await program(app)).catch(() => {});
  await app.finalize();
}

function none(): Outcome["errors"] {
  return [];
}

function hear(events: AnyEvent[]) {
  return (host: { readonly events: Pick<EventSource, "on"> }) =>
    host.events.on("*", (_type, event) => void events.push(event));
}

function errorsOf(error: unknown): Outcome["errors"] {
  if (!(error instanceof RunFailedError)) throw error;
  return error.errors.map((one) => {
    const code = one instanceof Error && "code" in one ? String(one.code) : "";
    return { code, message: one instanceof Error ? one.message : String(one) };
  });
}

function summaryOf(events: readonly AnyEvent[]): Partial<RunSummary> {
  const finished = events.findLast((event) => event.type === "run:finished");
  return Object.fromEntries(Object.entries(finished?.summary ?? {}).filter(([, count]) => count > 0));
}

function lineOf(event: AnyEvent): string[] {
  return event.type === "resource:log" ? [event.message] : [];
}
