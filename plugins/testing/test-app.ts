/** An app for tests, made of nothing but what the library exports. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore } from "../../adapters/memory/index.js";
import { EngineError, type RunSummary } from "../../core/base/index.js";
import type { AnyEvent, EngineOptions, EnginePlugin, Scope, StateStore } from "../../core/contract/index.js";
import { checkOptions } from "../../core/options/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { createEngine, type Engine } from "../engine/index.js";
import type { MortalRun } from "./faults.js";
import { type FaultInjection, Faults, type FaultyHandler, mortalStore } from "./faults.js";

/** Options of every run of a test app, with defaults of their own: `stage: "test"`, `argv: []`, `env: {}`. */
export interface TestAppOptions extends Omit<EngineOptions, "stateStore" | "rootDir" | "phase"> {
  /** Name of the app. Default: `"test"`. */
  readonly name?: string;
  /** What runs it. Default: an engine without built-in plugins. */
  readonly engine?: Engine;
  /** Keeps the state. Default: a new `memoryStore()`. */
  readonly stateStore?: StateStore;
}

/** Options of one run; they come before those of the app. */
export type TestRunOptions = Omit<EngineOptions, "stage" | "stateStore" | "rootDir">;

/** An app with a state, a root folder and a record of events of its own. Disposing of it destroys what it has made. */
export interface TestApp extends AsyncDisposable {
  /** A temporary folder, deleted in the end. */
  readonly rootDir: string;
  /** What all runs share. */
  readonly stateStore: StateStore;
  readonly faults: FaultInjection;
  /** What the last run told, up to its end or to the moment when it was killed. */
  readonly events: readonly AnyEvent[];
  /** What the last run did, e.g. `created inbox`, `unchanged site/index`, in this order; paths are those within the stage. */
  readonly actions: readonly string[];
  /** Codes of what the last run warned about. */
  readonly warnings: readonly string[];
  /** How many resources of the last run ended in each way; `undefined` where it did not come to its end. */
  readonly summary: RunSummary | undefined;
  /**
   * One run, as a process of its own would make it: opens the app, runs the program in it, finalizes. Gives what the
   * program returned.
   *
   * @throws EngineError `RUN_FAILED` where anything failed, `ABORTED` where the run was killed, and what `engine()` throws
   */
  run<T>(program: (app: Scope) => Promise<T> | T, options?: TestRunOptions): Promise<T>;
  /** A run that destroys everything that is recorded. The kinds must be defined in this process. */
  destroy(): Promise<void>;
}

/**
 * Makes an app for a test: hermetic, with a state in memory that several runs share.
 *
 * @throws EngineError `INVALID_OPTION`
 *
 * @example
 * ```ts
 * await using app = await createTestApp();
 * await app.run(() => Mailbox("inbox", { quota: 10 }));
 * assert.deepEqual(app.actions, ["created inbox"]);
 * ```
 */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { name: _name, engine: _engine, ...own } = options;
  checkOptions(own);
  return new Tested(options, await mkdtemp(join(tmpdir(), "scope-engine-")));
}

class Tested implements TestApp {
  readonly faults = new Faults();
  readonly rootDir: string;
  readonly stateStore: StateStore;
  events: AnyEvent[] = [];
  readonly #engine: Engine;
  readonly #name: string;
  readonly #options: EngineOptions;

  constructor(options: TestAppOptions, rootDir: string) {
    const { name = "test", engine = createEngine(), stateStore = memoryStore(), ...rest } = options;
    this.rootDir = rootDir;
    this.stateStore = stateStore;
    this.#engine = engine;
    this.#name = name;
    this.#options = { stage: "test", argv: [], env: {}, logger: SILENT, ...rest, rootDir };
  }

  get actions(): readonly string[] {
    return this.events.flatMap((event) => {
      if (!event.type.startsWith("resource:") || !("fqn" in event) || event.fqn === undefined) return [];
      if (/:(queued|started|log)$/.test(event.type)) return [];
      return [`${event.type.slice("resource:".length)} ${event.fqn.split("/").slice(2).join("/")}`];
    });
  }

  get warnings(): readonly string[] {
    return this.events.flatMap((event) => (event.type === "warning" ? [event.code] : []));
  }

  get summary(): RunSummary | undefined {
    return this.events.find((event) => event.type === "run:finished")?.summary;
  }

  async run<T>(program: (app: Scope) => Promise<T> | T, options: TestRunOptions = {}): Promise<T> {
    const { store, die } = mortalStore(this.stateStore);
    const killing = new AbortController();
    let killed: EngineError | undefined;
    this.events = [];
    const { events } = this;
    const kill = (when: string, fqn: string): void => {
      killed = new EngineError("ABORTED", `The test has killed the run ${when}.`, { fqn });
      die();
      killing.abort(killed);
    };
    const plugin = this.#watching(
      (event) => {
        if (killed) return;
        events.push(event);
        this.#killAfter(event, kill);
      },
      (fqn) => ({ isDead: () => killed !== undefined, die: (when) => kill(when, fqn) }),
    );
    const given = options.signal ?? this.#options.signal;
    const signal = given ? AbortSignal.any([given, killing.signal]) : killing.signal;
    const plugins = [plugin, ...(this.#options.plugins ?? []), ...(options.plugins ?? [])];
    try {
      const opened = { ...this.#options, ...options, plugins, signal, stateStore: store };
      return await complete(await this.#engine(this.#name, opened), program);
    } catch (error) {
      throw killed ?? error;
    } finally {
      if (killed) await this.#forgetResults();
    }
  }

  async destroy(): Promise<void> {
    await this.run(() => {}, { phase: "destroy" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.faults.clear();
    try {
      await this.destroy();
    } finally {
      await rm(this.rootDir, { recursive: true, force: true });
    }
  }

  #watching(observe: (event: AnyEvent) => void, runOf: (fqn: string) => MortalRun): EnginePlugin {
    return definePlugin({
      name: "test-app",
      apply: ({ events, hooks }) => {
        events.on("*", (_type, event) => observe(event));
        hooks.handler.tapPromise("test-app", (handler, next) => this.faults.around(runOf(handler.fqn), handler, next));
      },
    });
  }

  /** The result is queued when its event is emitted, and nothing was written since. */
  #killAfter(event: AnyEvent, kill: (when: string, fqn: string) => void): void {
    const handler = handlerOf(event.type);
    if (!handler || !("kind" in event) || !this.faults.isFatal(event.kind, handler)) return;
    kill(`after the ${handler} of "${event.fqn}"`, event.fqn);
  }

  /** A process that was killed writes no recovery file. */
  async #forgetResults(): Promise<void> {
    for (const name of await readdir(this.rootDir)) {
      if (name.startsWith("engine-recovery.")) await rm(join(this.rootDir, name));
    }
  }
}

const SILENT = { info() {}, error() {} };

async function complete<T>(app: Scope, program: (app: Scope) => Promise<T> | T): Promise<T> {
  const value = app.run(async () => program(app));
  // What the program rejected with comes out of finalize.
  await value.catch(() => {});
  await app.finalize();
  return value;
}

function handlerOf(type: AnyEvent["type"]): FaultyHandler | undefined {
  switch (type) {
    case "resource:created":
    case "resource:replaced":
      return "create";
    case "resource:updated":
    case "resource:adopted":
      return "update";
    case "resource:deleted":
      return "delete";
    default:
      return undefined;
  }
}
