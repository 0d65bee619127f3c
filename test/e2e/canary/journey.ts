/** A stage with a folder of its own, run again and again in this process, and every text that leaves the engine. */
import { join } from "node:path";
import { inspect } from "node:util";
import { type FsStore, fsStoreAt } from "../../../adapters/fs/index.js";
import type { AnyEvent, EngineOptions, EnginePlugin, PluginHost, Scope } from "../../../core/contract/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { consoleOutput } from "../../../plugins/console-output/index.js";
import { createEngine, type Engine } from "../../../plugins/engine/index.js";
import { secrets } from "../../../plugins/secrets/index.js";
import { COST } from "../../helpers/apps/secret-stage.ts";

export const PASSWORD = "correct horse battery staple";

export class Journey {
  readonly folder: string;
  readonly engine: Engine;
  readonly store: FsStore;
  /** Printed texts, and the texts that other code would print of values that the engine gives it. */
  readonly said: string[] = [];
  /** Words for people, and nothing else. */
  readonly messages: string[] = [];
  /** Names of the runs that did not end as expected. */
  readonly missed: string[] = [];

  constructor(folder: string) {
    this.folder = folder;
    this.engine = createEngine({ plugins: [secrets({ cost: COST }), consoleOutput()] });
    this.store = fsStoreAt(join(folder, ".engine"));
  }

  open(options: EngineOptions = {}): Promise<Scope> {
    const write = (line: string): void => void this.said.push(line);
    return this.engine("canary", {
      stage: "dev",
      rootDir: this.folder,
      stateStore: this.store,
      password: PASSWORD,
      argv: [],
      env: {},
      logger: { info: write, error: write },
      ...options,
      plugins: [this.#listening(), ...(options.plugins ?? [])],
    });
  }

  /** A run to its end; a failure is recorded as a program would print it. */
  async run(program: (app: Scope) => unknown = () => {}, options: EngineOptions = {}): Promise<boolean> {
    try {
      const app = await this.open(options);
      await app.run(async () => void (await program(app))).catch((error) => this.#tellOwn(error));
      await app.finalize();
      return true;
    } catch (error) {
      this.tell(error);
      return false;
    }
  }

  /** A run that must fail. */
  async fails(name: string, program?: (app: Scope) => unknown, options?: EngineOptions): Promise<void> {
    if (await this.run(program, options)) this.missed.push(name);
  }

  /** A run that must succeed. */
  async succeeds(name: string, program?: (app: Scope) => unknown, options?: EngineOptions): Promise<void> {
    if (!(await this.run(program, options))) this.missed.push(name);
  }

  /** A run with a plugin. */
  with(name: string, apply: (host: PluginHost) => void): { readonly plugins: readonly EnginePlugin[] } {
    return { plugins: [definePlugin({ name, apply })] };
  }

  /** Records the readable texts of an error, or of any other value that the engine hands out. */
  tell(value: unknown): void {
    const whole = { depth: 20, maxStringLength: null, maxArrayLength: null };
    this.said.push(inspect(value), inspect(value, whole), `${value}`);
    this.said.push(
      JSON.stringify(value, withoutCycles()),
      JSON.stringify(Object.entries(Object(value)), withoutCycles()),
    );
    for (let at = value; at instanceof Error; at = at.cause) {
      this.messages.push(at.message);
      this.said.push(`${at.stack}`, inspect(at, { showHidden: true, depth: 3 }));
    }
  }

  /** Skips errors that the program itself has thrown: it gets them back unchanged. */
  #tellOwn(error: unknown): void {
    if (error instanceof Error && "code" in error) this.tell(error);
  }

  #listening(): EnginePlugin {
    const hear = (event: AnyEvent): void => {
      this.said.push(JSON.stringify(event), inspect(event, { depth: 5 }));
      if (event.type === "resource:log" || event.type === "resource:failed") this.messages.push(event.message);
      if (event.type === "resource:retained") this.messages.push(event.reason);
    };
    return definePlugin({ name: "listening", apply: ({ events }) => events.on("*", (_type, event) => hear(event)) });
  }
}

function withoutCycles(): (key: string, value: unknown) => unknown {
  const met = new Set<unknown>();
  return (_key, value) => {
    if (typeof value !== "object" || value === null) return typeof value === "bigint" ? String(value) : value;
    if (met.has(value)) return "(again)";
    met.add(value);
    return value;
  };
}
