/** An app for tests, built only from the library's public exports. */
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

/** Options of every run of a test app. Its own defaults: `stage: "test"`, `argv: []`, `env: {}`. */
export interface TestAppOptions extends Omit<EngineOptions, "stateStore" | "rootDir" | "phase"> {
  /** Name of the app. Default: `"test"`. */
  readonly name?: string;
  /** The engine that runs the app. Default: an engine without built-in plugins. */
  readonly engine?: Engine;
  /** The store of the state. Default: a new `memoryStore()`. */
  readonly stateStore?: StateStore;
}

/** Options of one run; they override those of the app. */
export type TestRunOptions = Omit<EngineOptions, "stage" | "stateStore" | "rootDir">;

/** An app with its own state, root folder and list of events. Disposing of it destroys its resources. */
export interface TestApp extends AsyncDisposable {
  /** A temporary folder, deleted at the end. */
  readonly rootDir: string;
  /** The store that all runs share. */
  readonly stateStore: StateStore;
  readonly faults: FaultInjection;
  /** Events of the last run, up to its end or to the moment when it was killed. */
  readonly events: readonly AnyEvent[];
  /**
   * Actions of the last run in their order, e.g. `created inbox`, `unchanged site/index`; paths are those within the
   * stage.
   */
  readonly actions: readonly string[];
  /** Codes of the warnings of the last run. */
  readonly warnings: readonly string[];
  /** Counts of the resources of the last run by outcome; `undefined` if the run did not end. */
  readonly summary: RunSummary | undefined;
  /**
   * Makes one run, as a separate process would: opens the app, runs the program in it, finalizes. Returns the program's
   * result.
   *
   * @throws EngineError `RUN_FAILED` if anything failed, `ABORTED` if the run was killed, and the errors of `engine()`
   */
  run<T>(program: (app: Scope) => Promise<T> | T, options?: TestRunOptions): Promise<T>;
  /** Makes a run that destroys all recorded resources. Their kinds must be defined in this process. */
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
      killed = new EngineError("ABORTED", `The test killed the run ${when}.`, { fqn });
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

  /** A killed process writes no recovery file. */
  async #forgetResults(): Promise<void> {
    for (const name of await readdir(this.rootDir)) {
      if (name.startsWith("engine-recovery.")) await rm(join(this.rootDir, name));
    }
  }
}

const SILENT = { info() {}, error() {} };

async function complete<T>(app: Scope, program: (app: Scope) => Promise<T> | T): Promise<T> {
  const value = app.run(async () => program(app));
  // finalize() rejects with the program's error.
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
