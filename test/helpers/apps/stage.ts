/** One stage, run again and again against the same store, with all events of its runs. */

import { memoryStore } from "../../../adapters/memory/index.js";
import { NOTHING_DONE, RunFailedError, type RunSummary } from "../../../core/base/index.js";
import type {
  AnyEvent,
  EngineOptions,
  EventName,
  FinalizeOptions,
  Plan,
  ResourceRecord,
  Scope,
  StateStore,
} from "../../../core/contract/index.js";
import type { UpResult } from "../../../core/engine/index.js";
import { appOf } from "../../../core/run/index.js";
import { createEngine, type EngineParts } from "../../../plugins/engine/index.js";

export interface StageOptions extends EngineOptions {
  readonly stateStore?: StateStore;
}

type Program = (app: Scope) => unknown;

export class Stage {
  readonly #engine: ReturnType<typeof createEngine>;
  readonly #options: EngineOptions;
  readonly store: StateStore;
  /** Events of the last run. */
  events: AnyEvent[] = [];
  #app: Scope | undefined;

  constructor({ stateStore = memoryStore(), ...options }: StageOptions = {}, parts: EngineParts = {}) {
    this.#engine = createEngine(parts);
    this.store = stateStore;
    this.#options = { stage: "dev", argv: [], env: {}, ...options, stateStore };
  }

  get engine(): ReturnType<typeof createEngine> {
    return this.#engine;
  }

  open(options: EngineOptions = {}): Promise<Scope> {
    const opened = this.#engine("app", this.#complete(options));
    const note = (app: Scope): void => {
      this.#app = app;
    };
    void opened.then(note, () => {});
    return opened;
  }

  /** The last app that was opened. */
  get app(): Scope {
    if (!this.#app) throw new Error("No app was opened.");
    return this.#app;
  }

  /** The record that the last opened app has under a key. */
  record(key: string): ResourceRecord | undefined {
    return recordOf(this.app, key);
  }

  /** Keys of all its records. */
  get keys(): readonly string[] {
    return keysOf(this.app);
  }

  /** Deletes all recorded resources, to the end of the run's finalize. */
  async destroy(options: EngineOptions = {}): Promise<Scope> {
    const app = await this.open({ phase: "destroy", ...options });
    await app.finalize();
    return app;
  }

  plan(program: Program, options: EngineOptions = {}): Promise<Plan> {
    return this.#engine.plan("app", { ...this.#options, ...options }, program);
  }

  /** Uses `engine.up()`. */
  upInOne<T>(program: (app: Scope) => Promise<T> | T, options: EngineOptions = {}): Promise<UpResult<T>> {
    return this.#engine.up("app", this.#complete(options), program);
  }

  #complete(options: EngineOptions): EngineOptions {
    this.events = [];
    const listening = { name: "listening", apply: this.#listen };
    const plugins = [listening, ...(this.#options.plugins ?? []), ...(options.plugins ?? [])];
    return { ...this.#options, ...options, plugins };
  }

  /** Runs a program to the end of its finalize. */
  async up(program: Program = () => {}, options: EngineOptions & Pick<FinalizeOptions, "noop"> = {}): Promise<Scope> {
    const { noop = false, ...engineOptions } = options;
    const app = await this.open(engineOptions);
    // finalize() rethrows the program's rejection.
    await app.run(async () => await program(app)).catch(() => {});
    await app.finalize({ noop });
    return app;
  }

  /** The errors of a run, in the order in which they occurred. */
  async failures(program: Program, options: EngineOptions = {}): Promise<readonly unknown[]> {
    return failuresOf(this.up(program, options));
  }

  /** Names of the events about resources, each with its resource, e.g. `created a`; without `queued`. */
  get told(): string[] {
    return this.events.flatMap((event) => {
      if (!event.type.startsWith("resource:") || event.type === "resource:queued" || !("id" in event)) return [];
      return `${event.type.slice("resource:".length)} ${event.id}`;
    });
  }

  heard<N extends EventName>(name: N): Extract<AnyEvent, { type: N }>[] {
    return this.events.filter((event): event is Extract<AnyEvent, { type: N }> => event.type === name);
  }

  get summary(): Partial<RunSummary> {
    const summary = this.heard("run:finished").at(-1)?.summary ?? NOTHING_DONE;
    return Object.fromEntries(Object.entries(summary).filter(([, count]) => count > 0));
  }

  readonly #listen = ({
    events,
  }: {
    readonly events: { on(name: "*", observer: (type: EventName, event: AnyEvent) => void): void };
  }) => {
    events.on("*", (_type, event) => void this.events.push(event));
  };
}

export async function failuresOf(run: Promise<unknown>): Promise<readonly unknown[]> {
  try {
    await run;
  } catch (error) {
    if (error instanceof RunFailedError) return error.errors;
    throw error;
  }
  throw new Error("It did not fail.");
}

/** All records, including old copies. */
export function recordsOf(scope: Scope): readonly ResourceRecord[] {
  return [...appOf(scope).ledger.contents.records.values()];
}

export function keysOf(scope: Scope): readonly string[] {
  return recordsOf(scope)
    .map(({ key }) => key)
    .sort();
}

export function recordOf(scope: Scope, key: string): ResourceRecord | undefined {
  return appOf(scope).ledger.contents.at(key);
}
